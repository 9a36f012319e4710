import type { EmbeddedBackend } from "#supabase/embedded/embedded-backend";
import { type Repetition, repeat } from "~/lib/repeat";
import { describeError, log, logProblem } from "./log.server";

/** Every start begins with it, so that a server which is restarted daily still keeps its promises. */
const firstAfterMs = 10_000;
const everyMs = 24 * 60 * 60 * 1000;

/**
 * Deletes what is past its time, once a day while the embedded backend runs. (A hosted project does the same with pg_cron.)
 * @returns the timer; stopped, it waits for a run under way
 */
export function startRetentionTimer(backend: EmbeddedBackend): Repetition {
  return repeat(() => keepRetention(backend), { firstAfterMs, everyMs });
}

async function keepRetention(backend: EmbeddedBackend): Promise<void> {
  try {
    await backend.sql("select public.keep_retention('server-timer')");
    log({ event: "retention.kept" });
  } catch (error) {
    logProblem({ event: "retention.failed", ...describeError(error) });
  }
}
