import { write } from "node:fs";
import { Session } from "node:inspector";
import { promisify } from "node:util";
import { parentPort, workerData } from "node:worker_threads";
import { signCalls } from "../backend/calls/sign-calls.server";
import { markStuck } from "../backend/run-mark.server";
import type { Timeouts } from "../config/timeouts.server";
import { formatEvent } from "../observability/log.server";
import { type LoopMemory, createLoopMemory } from "../observability/loop-memory.server";

/** Periods of the watcher. */
export type WatcherTimeouts = Pick<Timeouts, "loopCheck" | "loopSilence">;

/** Start of a watcher. */
export interface WatcherStart {
  buffer: SharedArrayBuffer;
  timeouts: WatcherTimeouts;
  /** folder whose next process reports the end, or the project that this one calls; null if it accepts no report */
  reportTo: { dataDir: string } | { url: string; publishableKey: string; siteKey: string } | null;
}

// Entry file of the watcher's thread: see `separateEntries` in vite.config.ts.
if (parentPort) {
  const start = workerData as WatcherStart;
  const memory = createLoopMemory(start.buffer);
  watchBeats(memory, start.timeouts, () => void endProcess(start, memory.readRoute()));
}

/**
 * Calls `onSilence` once if the event loop makes no turn for too long. Counts its own checks, not the clock: a paused
 * process or machine makes none.
 */
export function watchBeats(
  memory: LoopMemory,
  { loopCheck, loopSilence }: WatcherTimeouts,
  onSilence: () => void,
): void {
  let known = memory.readBeats();
  let silentMs = 0;
  const timer = setInterval(() => {
    memory.countCheck();
    const beats = memory.readBeats();
    silentMs = beats === null || beats !== known ? 0 : silentMs + loopCheck;
    known = beats;
    if (silentMs < loopSilence) return;
    clearInterval(timer);
    onSilence();
  }, loopCheck);
}

/** Time for the log line and the report. Neither may keep the process from ending: a full pipe takes no line. */
const lastWordsMs = 5_000;

/** Ends the process, whose event loop is stuck. The log line goes straight to the descriptor: the loop forwards none. */
async function endProcess({ reportTo, timeouts }: WatcherStart, route: string): Promise<void> {
  const remedy =
    "none needed: its supervisor starts the process again. If it repeats, the page of this route has a defect";
  const event = { event: "event-loop.stuck", route, ms: timeouts.loopSilence, remedy };
  const lastWords = [promisify(write)(2, formatEvent("error", event)), report(reportTo)];
  const isOver = new Promise((resolve) => setTimeout(resolve, lastWordsMs));
  await Promise.race([Promise.allSettled(lastWords), isOver]);
  process.kill(process.pid, "SIGKILL");
  // Process 1 of a container ignores its own signals. Its debugger interrupts a loop in JavaScript.
  const session = new Session();
  session.connectToMainThread();
  session.post("Runtime.evaluate", { expression: "process.exit(1)" });
}

async function report(to: WatcherStart["reportTo"]): Promise<void> {
  if (to === null) return;
  if ("dataDir" in to) return markStuck(to.dataDir);
  await signCalls(fetch, to.siteKey)(`${to.url}/functions/v1/report-trouble`, {
    method: "POST",
    headers: { apikey: to.publishableKey, "Content-Type": "application/json" },
    body: JSON.stringify({ causes: ["process-stuck"] }),
  });
}
