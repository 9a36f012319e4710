import type { Timeouts } from "~/server/config/timeouts.server";

/**
 * Periods that tests would only wait for, shorter than production's. No test fails because one of them ends early on a
 * busy machine. Tests of a period set their own.
 */
const shortTimeouts: Partial<Timeouts> = {
  lastRequest: 20,
  probeReuse: 50,
  outboxPoll: 300,
  replyPause: 0,
  fullDiskCheck: 100,
  accountResponse: 20,
  signInDelay: 20,
};

/**
 * Longer than production's: a slow, busy machine would make the site respond with 503, which tests of the site's own
 * database are not about. Tests with a backend that hangs use production's timeouts, or set their own.
 */
const longTimeouts: Partial<Timeouts> = {
  backendCall: 60_000,
  session: 60_000,
  renderQueue: 60_000,
  consentRecord: 60_000,
};

/** Returns the timeouts of a test's site. @param settings with SUPABASE_URL if the site has a hosted project */
export function testTimeouts(settings: Record<string, string>, timeouts?: Partial<Timeouts>): Partial<Timeouts> {
  return { ...shortTimeouts, ...(settings.SUPABASE_URL === undefined ? longTimeouts : {}), ...timeouts };
}
