import type { EmbeddedBackend } from "#supabase/embedded/embedded-backend";
import { type Repetition, repeat } from "~/lib/repeat";
import { type Log, describeError } from "../../../observability/log.server";

/** Milliseconds for which a database that nobody writes to is left alone; then the clock alone may have made something due. */
const longestRestMs = 30_000;

/**
 * Delivers due mail every few seconds while the embedded backend runs: what a crash or a mail outage left waiting goes
 * out here. (A hosted project does the same with pg_cron.) Where no mail waits and nothing was written since the last look, only
 * the clock can have made something due, which is looked for twice a minute: a delivery is some twenty statements, and a site that
 * nobody visits would spend most of its processor time on them.
 * @returns the timer; stopped, it waits for a delivery under way
 */
export function startOutboxTimer(
  backend: Pick<EmbeddedBackend, "sql" | "fetch" | "url" | "secretKey">,
  log: Log,
  everyMs: number,
): Repetition {
  let rest: { position: string; endsAt: number } | null = null;

  async function deliverDueMail(): Promise<void> {
    try {
      // From before the delivery, so that what is written while it runs is seen by the next one.
      const position = await readLogPosition(backend);
      if (rest !== null && rest.position === position && performance.now() < rest.endsAt) return;
      const waiting = await deliver(backend, log);
      rest = waiting === 0 ? { position, endsAt: performance.now() + longestRestMs } : null;
    } catch (error) {
      rest = null;
      log.error({ event: "outbox.delivery-failed", ...describeError(error) });
    }
  }

  return repeat(deliverDueMail, { firstAfterMs: 0, everyMs });
}

/** How far PostgreSQL's write-ahead log has come: every change to the database moves it. */
async function readLogPosition({ sql }: Pick<EmbeddedBackend, "sql">): Promise<string> {
  const [row] = await sql<{ position: string }>("select pg_current_wal_insert_lsn() as position");
  return row?.position ?? "";
}

/** @returns how much mail still waits; null when that is not known, because it could not be delivered */
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
