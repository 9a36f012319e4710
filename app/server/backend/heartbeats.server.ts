import { callHook } from "#supabase/functions/_shared/host/call-hook";
import { type Repetition, repeat } from "~/lib/repeat";
import type { Timeouts } from "../config/timeouts.server";
import type { Health } from "../observability/health.server";
import type { Log } from "../observability/log.server";

/** Dependencies of the heartbeats. */
export interface HeartbeatDependencies {
  heartbeatUrl: string;
  health: Pick<Health, "read">;
  log: Log;
  timeouts: Pick<Timeouts, "heartbeat" | "heartbeatCheck">;
}

/**
 * Starts the calls of HEARTBEAT_URL: one each quarter hour while the site is ready, by the same rule as /readyz. A failed
 * call is repeated after a minute, and only the first of several failures is logged.
 */
export function startHeartbeats({ heartbeatUrl, health, log, timeouts }: HeartbeatDependencies): Repetition {
  const closing = new AbortController();
  let succeededAt = -Infinity;
  let isFailing = false;

  async function beat(): Promise<void> {
    if (performance.now() - succeededAt < timeouts.heartbeat || !(await health.read()).ready) return;
    const startedAt = performance.now();
    const code = await callHook(heartbeatUrl, closing.signal);
    if (closing.signal.aborted) return;
    if (code === null) succeededAt = startedAt;
    const remedy = "none if it passes, as the call is repeated; otherwise correct HEARTBEAT_URL";
    if (code !== null && !isFailing) log.warn({ event: "hook-failed", setting: "HEARTBEAT_URL", code, remedy });
    isFailing = code !== null;
  }

  const { stop } = repeat(beat, { firstAfterMs: 0, everyMs: timeouts.heartbeatCheck });
  return {
    stop: () => {
      closing.abort();
      return stop();
    },
  };
}
