import type { EmbeddedBackend } from "#supabase/embedded/embedded-backend";
import { type Repetition, repeat } from "~/lib/repeat";
import { type Log, describeError } from "../../../observability/log.server";

/**
 * Delivers due mail every few seconds while the embedded backend runs: what a crash or a mail outage left waiting goes
 * out here. (A hosted project does the same with pg_cron.)
 * @returns the timer; stopped, it waits for a delivery under way
 */
export function startOutboxTimer(backend: EmbeddedBackend, log: Log, everyMs: number): Repetition {
  return repeat(() => deliver(backend, log), { firstAfterMs: 0, everyMs });
}

async function deliver(backend: EmbeddedBackend, log: Log): Promise<void> {
  try {
    const response = await backend.fetch(`${backend.url}/functions/v1/deliver-outbox`, {
      method: "POST",
      headers: { apikey: backend.secretKey },
    });
    if (!response.ok) log.error({ event: "outbox.delivery-failed", status: response.status });
  } catch (error) {
    log.error({ event: "outbox.delivery-failed", ...describeError(error) });
  }
}
