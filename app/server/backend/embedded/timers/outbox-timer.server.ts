import type { EmbeddedBackend } from "#supabase/embedded/embedded-backend";
import { type Repetition, repeat } from "~/lib/repeat";
import { type Log, describeError } from "../../../observability/log.server";

/** Longest pause between deliveries while the database does not change; only the clock can make mail due then. */
const longestPauseMs = 30_000;

/**
 * Delivers due mail every few seconds while the embedded backend runs, including mail left by a crash or a mail outage.
 * (A hosted project does the same with pg_cron.) If no mail waits and the database has not changed since the last run,
 * only the clock can make mail due, so a delivery runs twice a minute: each takes some twenty statements, which would
 * be most of an idle site's processor time.
 * @returns the timer; stopping it waits for a running delivery
 */
export function startOutboxTimer(
  backend: Pick<EmbeddedBackend, "sql" | "fetch" | "url" | "secretKey">,
  log: Log,
  everyMs: number,
): Repetition {
  let rest: { position: string; endsAt: number } | null = null;

  async function deliverDueMail(): Promise<void> {
    try {
      // Read before the delivery, so that the next run sees writes made during this one.
      const position = await readLogPosition(backend);
      if (rest !== null && rest.position === position && performance.now() < rest.endsAt) return;
      const waiting = await deliver(backend, log);
      rest = waiting === 0 ? { position, endsAt: performance.now() + longestPauseMs } : null;
    } catch (error) {
      rest = null;
      log.error({ event: "outbox.delivery-failed", ...describeError(error) });
    }
  }

  return repeat(deliverDueMail, { firstAfterMs: 0, everyMs });
}

/** Reads the position of PostgreSQL's write-ahead log: every change to the database advances it. */
async function readLogPosition({ sql }: Pick<EmbeddedBackend, "sql">): Promise<string> {
  const [row] = await sql<{ position: string }>("select pg_current_wal_insert_lsn() as position");
  return row?.position ?? "";
}

/** @returns the number of mails still waiting; null if delivery failed */
async function deliver(
  backend: Pick<EmbeddedBackend, "fetch" | "url" | "secretKey">,
  log: Log,
): Promise<number | null> {
  const response = await backend.fetch(`${backend.url}/functions/v1/deliver-outbox`, {
    method: "POST",
    headers: { apikey: backend.secretKey },
  });
  if (response.ok) return ((await response.json()) as { remaining: number }).remaining;
  log.error({ event: "outbox.delivery-failed", status: response.status });
  return null;
}
