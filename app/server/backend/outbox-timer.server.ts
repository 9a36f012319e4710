import type { EmbeddedBackend } from "#supabase/embedded/embedded-backend";
import { type Log, describeError } from "../observability/log.server";

/**
 * Delivers due mail every few seconds while the embedded backend runs: what a crash or a mail outage left waiting goes
 * out here. (A hosted project does the same with pg_cron.)
 * @returns `stop`, which waits for a delivery under way
 */
export function startOutboxTimer(backend: EmbeddedBackend, log: Log, everyMs: number): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  let stopped = false;
  let timer = setTimeout(tick, 0);
  timer.unref();

  function tick() {
    running = deliverAndWait();
  }
  async function deliverAndWait() {
    await deliver(backend, log);
    if (stopped) return;
    timer = setTimeout(tick, everyMs);
    timer.unref();
  }
  return {
    stop: () => {
      stopped = true;
      clearTimeout(timer);
      return running;
    },
  };
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
