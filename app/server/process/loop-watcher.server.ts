import { Worker } from "node:worker_threads";
import watcherFile from "virtual:loop-watcher";
import type { Settings } from "../config/settings.server";
import { type Log, describeError } from "../observability/log.server";
import type { LoopMemory } from "../observability/loop-memory.server";
import type { WatcherStart, WatcherTimeouts } from "./loop-watcher-entry.server";

/** Starts the thread that ends this process if its event loop is stuck. It keeps no process alive and delays no exit. */
export function startLoopWatcher(memory: LoopMemory, settings: Settings, timeouts: WatcherTimeouts, log: Log): void {
  const { loopCheck, loopSilence } = timeouts;
  const workerData: WatcherStart = {
    buffer: memory.buffer,
    timeouts: { loopCheck, loopSilence },
    reportTo: findReport(settings),
  };
  const worker = new Worker(new URL(watcherFile), { workerData });
  worker.unref();
  worker.once("error", (error) => log.error({ event: "event-loop.unwatched", ...describeError(error) }));
}

function findReport({ backend, dataDir, siteKey }: Settings): WatcherStart["reportTo"] {
  if (backend.kind === "embedded") return { dataDir };
  const { url, publishableKey } = backend;
  return siteKey === undefined ? null : { url, publishableKey, siteKey };
}
