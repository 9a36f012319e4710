import type { EmbeddedBackend } from "#supabase/embedded/embedded-backend";
import { type Repetition, repeat } from "~/lib/repeat";
import { type Log, describeError } from "../../../observability/log.server";

const everyMs = 24 * 60 * 60 * 1000;

const remedy =
  "set the clock if it is wrong; if it is right because the site did not run for two weeks, do nothing: deletion resumes in a day";

/** Options of the retention timer. */
interface RetentionTimerOptions {
  log: Log;
  /** brings the data folder in line with the database; never rejects */
  tidy(): Promise<void>;
  firstAfterMs: number;
}

/**
 * Deletes data past its retention period once a day while the embedded backend runs. (A hosted project does the same
 * with pg_cron.) Each start begins with a run, so that retention works on a server that restarts daily.
 * @returns the timer; stopping it waits for a running deletion
 */
export function startRetentionTimer(backend: EmbeddedBackend, options: RetentionTimerOptions): Repetition {
  const run = async () => {
    await applyRetention(backend, options.log);
    await options.tidy();
  };
  return repeat(run, { firstAfterMs: options.firstAfterMs, everyMs });
}

async function applyRetention(backend: EmbeddedBackend, log: Log): Promise<void> {
  try {
    const [run] = await backend.sql<{ counts: Record<string, number> | null }>(
      "select public.keep_retention('server-timer') as counts",
    );
    if (!run?.counts) {
      log.error({ event: "retention.waits", remedy });
      return;
    }
    const refused = Object.entries(run.counts).filter(([kind]) => kind.endsWith("_refused"));
    if (refused.length === 0) log.info({ event: "retention.kept" });
    else log.error({ event: "retention.failed", ...Object.fromEntries(refused) });
  } catch (error) {
    log.error({ event: "retention.failed", ...describeError(error) });
  }
}
