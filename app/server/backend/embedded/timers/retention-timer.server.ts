import type { EmbeddedBackend } from "#supabase/embedded/embedded-backend";
import { type Repetition, repeat } from "~/lib/repeat";
import { type Log, describeError } from "../../../observability/log.server";

const everyMs = 24 * 60 * 60 * 1000;

const remedy =
  "set the clock if it is wrong; if it is right because the site did not run for two weeks, do nothing: deletion resumes in a day";

/**
 * Deletes data past its retention period once a day while the embedded backend runs. (A hosted project does the same
 * with pg_cron.) Each start begins with a run, so that retention works on a server that restarts daily.
 * @param tidy brings the data folder in line with the database; never rejects
 * @returns the timer; stopping it waits for a running deletion
 */
export function startRetentionTimer(
  { sql }: Pick<EmbeddedBackend, "sql">,
  log: Log,
  tidy: () => Promise<void>,
  firstAfterMs: number,
): Repetition {
  async function applyRetention(): Promise<void> {
    const [applied] = await sql<{ counts: Record<string, number> | null }>(
      "select public.keep_retention('server-timer') as counts",
    );
    if (!applied?.counts) return log.error({ event: "retention.waits", remedy });
    const refused = Object.entries(applied.counts).filter(([kind]) => kind.endsWith("_refused"));
    if (refused.length === 0) log.info({ event: "retention.kept" });
    else log.error({ event: "retention.failed", ...Object.fromEntries(refused) });
  }

  async function run(): Promise<void> {
    await applyRetention().catch((error: unknown) => log.error({ event: "retention.failed", ...describeError(error) }));
    await tidy();
  }
  return repeat(run, { firstAfterMs, everyMs });
}
