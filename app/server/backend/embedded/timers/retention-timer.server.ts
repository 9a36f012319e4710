import type { EmbeddedBackend } from "#supabase/embedded/embedded-backend";
import { type Repetition, repeat } from "~/lib/repeat";
import { type Log, describeError } from "../../../observability/log.server";

const everyMs = 24 * 60 * 60 * 1000;

const remedy =
  "set the clock if it is wrong; if it is right, because nothing ran for two weeks, do nothing: deleting goes on in a day";

/** What the timer needs beside the database. */
interface RetentionTimerOptions {
  log: Log;
  /** deletes from the data folder what the database no longer knows of; never rejects */
  tidy(): Promise<void>;
  firstAfterMs: number;
}

/**
 * Deletes what is past its time, once a day while the embedded backend runs. (A hosted project does the same with pg_cron.)
 * Every start begins with it, so that a server which is restarted daily still keeps its promises.
 * @returns the timer; stopped, it waits for a run under way
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
