import type { EmbeddedBackend } from "#supabase/embedded/embedded-backend";
import { type Log, describeError } from "../observability/log.server";

const everyMs = 24 * 60 * 60 * 1000;

/**
 * Deletes what is past its time, once a day while the embedded backend runs. (A hosted project does the same with pg_cron.)
 * Every start begins with it, so that a server which is restarted daily still keeps its promises.
 * @returns `stop`, which waits for a run under way
 */
export function startRetentionTimer(
  backend: EmbeddedBackend,
  log: Log,
  firstAfterMs: number,
): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  let timer = setTimeout(tick, firstAfterMs).unref();
  function tick() {
    running = keepRetention(backend, log);
    timer = setTimeout(tick, everyMs).unref();
  }
  return {
    stop: () => {
      clearTimeout(timer);
      return running;
    },
  };
}

async function keepRetention(backend: EmbeddedBackend, log: Log): Promise<void> {
  try {
    await backend.sql("select public.keep_retention('server-timer')");
    log.info({ event: "retention.kept" });
  } catch (error) {
    log.error({ event: "retention.failed", ...describeError(error) });
  }
}
