import type { EmbeddedBackend } from "#supabase/embedded/embedded-backend";
import { type Repetition, repeat } from "~/lib/repeat";
import { describeError, logProblem } from "./log.server";

const everyMs = 2_000;

/**
 * Delivers due mail every few seconds while the embedded backend runs: what a crash or a mail outage left waiting goes
 * out here. (A hosted project does the same with pg_cron.)
 * @returns the timer; stopped, it waits for a delivery under way
 */
export function startOutboxTimer(backend: EmbeddedBackend): Repetition {
  return repeat(() => deliver(backend), { firstAfterMs: 0, everyMs });
}

async function deliver(backend: EmbeddedBackend): Promise<void> {
  try {
    const response = await backend.fetch(`${backend.url}/functions/v1/deliver-outbox`, {
      method: "POST",
      headers: { apikey: backend.secretKey },
    });
    if (!response.ok) logProblem({ event: "outbox.delivery-failed", status: response.status });
  } catch (error) {
    logProblem({ event: "outbox.delivery-failed", ...describeError(error) });
  }
}
