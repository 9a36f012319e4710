import { Worker } from "node:worker_threads";
import threadFile from "virtual:backend-thread";
import { repeatOnConsole } from "../../observability/console-line.server";
import type { Log } from "../../observability/log.server";
import type { EmbeddedStart } from "./embedded-start.server";
import { errorFrom } from "./plain-error.server";
import { type Caller, createCaller } from "./port-calls.server";
import type { ThreadFunctions, ThreadReport } from "./thread-protocol.server";

/** A thread in which the embedded backend is open. */
export interface BackendThread {
  /** what a start tells */
  facts: Awaited<ReturnType<ThreadFunctions["open"]>>;
  call: Caller<ThreadFunctions>["call"];
  /** resolves with the reason once the thread is gone, however it ended */
  ended: Promise<Error>;
  /** Closes the backend; then the thread ends, or is idle. */
  close(): Promise<void>;
}

/**
 * Starts a thread and opens the embedded backend in it.
 * @param signal gives the start up at its next step
 * @param idleThreads one of these is used where there is one, and it comes back when the backend is closed
 * @throws what kept it from opening, or the signal's reason; the thread is gone then
 */
export async function startBackendThread(
  start: EmbeddedStart,
  log: Log,
  signal: AbortSignal,
  idleThreads?: Worker[],
): Promise<BackendThread> {
  const worker = idleThreads?.pop() ?? new Worker(new URL(threadFile));
  // An idle one still tells its last backend's site.
  worker.removeAllListeners();
  worker.ref();
  const { call, fail } = createCaller<ThreadFunctions>(worker);
  worker.on("message", (message: ThreadReport | { report?: undefined }) => {
    if (message.report === "log") log[message.level](message.event);
    if (message.report === "console") repeatOnConsole(message.line, message.words);
    if (message.report === "warning") process.emit("warning", errorFrom(message.warning));
  });
  const ended = waitForEnd(worker);
  void ended.then((reason) => fail(new TypeError("embedded backend is away", { cause: reason })));
  const giveUp = () => void call("giveUp", undefined).catch(() => {});
  signal.addEventListener("abort", giveUp, { once: true });
  if (signal.aborted) giveUp();
  try {
    const died = ended.then((reason) => Promise.reject(reason));
    const facts = await Promise.race([call("open", start), died]);
    // What keeps the process running is that it listens, as before anything was opened.
    worker.unref();
    return {
      facts,
      call,
      ended,
      async close() {
        worker.ref();
        await call("close", undefined);
        fail(new TypeError("embedded backend is closed"));
        if (idleThreads === undefined) return void (await worker.terminate());
        worker.unref();
        idleThreads.push(worker);
      },
    };
  } catch (error) {
    await worker.terminate();
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
}

function waitForEnd(worker: Worker): Promise<Error> {
  return new Promise((resolve) => {
    worker.once("error", resolve);
    worker.once("exit", (code) => resolve(new Error(`The backend's thread ended with ${code}.`)));
  });
}
