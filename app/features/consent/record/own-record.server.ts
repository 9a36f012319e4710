import { z } from "zod";
import { instantFormat } from "~/lib/dates";
import { describeError } from "~/server/observability/log.server";
import type { SiteContext } from "~/server/site-context.server";

const instant = z.iso.datetime({ offset: true });
const decisionSchema = z.object({ analytics_consent: z.boolean(), marketing_consent: z.boolean() });
const recordSchema = decisionSchema.extend({
  user_agent: z.string().nullable(),
  history: z.array(
    decisionSchema.extend({
      source: z.enum(["banner", "dialog", "signal"]),
      consent_version: z.string(),
      text_hash: z.string(),
      decided_at: instant,
    }),
  ),
});

/** What is kept of a visitor's choices, as their preferences show it. */
export interface OwnRecord {
  number: string;
  userAgent: string | null;
  /** the oldest first; `at` an instant in words */
  decisions: {
    at: string;
    analytics: boolean;
    marketing: boolean;
    source: "banner" | "dialog" | "signal";
    version: string;
    textHash: string;
  }[];
}

/**
 * The record of a visitor who shows its number, as only their browser does.
 * @returns null where there is none; "unavailable" where the backend did not answer
 */
export async function findOwnRecord(
  { supabase: clients, log, settings }: SiteContext,
  number: string,
): Promise<OwnRecord | null | "unavailable"> {
  try {
    const supabase = await clients.visitor();
    // Posted, and so not tried again: projects log URLs, and the number alone opens and erases the record.
    const { data, error } = await supabase.rpc("find_consent", { session_id: number });
    if (!error) {
      const record = recordSchema.nullable().parse(data);
      return record && describeRecord(number, record, settings.replyClock.timeZone);
    }
    log.error({ event: "consent.unread", code: error.code });
  } catch (error) {
    log.error({ event: "consent.unread", ...describeError(error) });
  }
  return "unavailable";
}

/**
 * Deletes it with its history.
 * @returns false where the backend did not confirm it
 */
export async function eraseOwnRecord(site: SiteContext, number: string): Promise<boolean> {
  try {
    const supabase = await site.supabase.visitor();
    const { error } = await supabase.rpc("erase_consent", { session_id: number });
    if (!error) return true;
    site.log.error({ event: "consent.not-erased", code: error.code });
  } catch (error) {
    site.log.error({ event: "consent.not-erased", ...describeError(error) });
  }
  return false;
}

function describeRecord(
  number: string,
  { user_agent, history }: z.output<typeof recordSchema>,
  timeZone: string,
): OwnRecord {
  const formatInstant = instantFormat(timeZone);
  return {
    number,
    userAgent: user_agent,
    decisions: history.map((decision) => ({
      at: formatInstant(decision.decided_at),
      analytics: decision.analytics_consent,
      marketing: decision.marketing_consent,
      source: decision.source,
      version: decision.consent_version,
      textHash: decision.text_hash,
    })),
  };
}
