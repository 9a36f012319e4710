import type { EmbeddedBackend } from "#supabase/embedded/embedded-backend";
import { describeError, log, logProblem } from "../observability/log.server";

/** Every start begins with it, so that a server which is restarted daily still keeps its promises. */
const firstAfterMs = 10_000;
const everyMs = 24 * 60 * 60 * 1000;

/**
 * Deletes what is past its time, once a day while the embedded backend runs. (A hosted project does the same with pg_cron.)
 * @returns `stop`, which waits for a run under way
 */
export function startRetentionTimer(backend: EmbeddedBackend): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  let timer = setTimeout(tick, firstAfterMs).unref();
  function tick() {
    running = keepRetention(backend);
    timer = setTimeout(tick, everyMs).unref();
  }
  return {
    stop: () => {
      clearTimeout(timer);
      return running;
    },
  };
}

async function keepRetention(backend: EmbeddedBackend): Promise<void> {
  try {
    await backend.sql("select public.keep_retention('server-timer')");
    log({ event: "retention.kept" });
  } catch (error) {
    logProblem({ event: "retention.failed", ...describeError(error) });
  }
}
