import type { EmbeddedBackend } from "#supabase/embedded/embedded-backend";
import { type Repetition, repeat } from "~/lib/repeat";
import { type Log, describeError } from "../../observability/log.server";

const everyMs = 24 * 60 * 60 * 1000;

/**
 * Deletes what is past its time, once a day while the embedded backend runs. (A hosted project does the same with pg_cron.)
 * Every start begins with it, so that a server which is restarted daily still keeps its promises.
 * @returns the timer; stopped, it waits for a run under way
 */
export function startRetentionTimer(backend: EmbeddedBackend, log: Log, firstAfterMs: number): Repetition {
  return repeat(() => keepRetention(backend, log), { firstAfterMs, everyMs });
}

async function keepRetention(backend: EmbeddedBackend, log: Log): Promise<void> {
  try {
    await backend.sql("select public.keep_retention('server-timer')");
    log.info({ event: "retention.kept" });
  } catch (error) {
    log.error({ event: "retention.failed", ...describeError(error) });
  }
}
