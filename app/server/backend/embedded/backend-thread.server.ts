import { Worker } from "node:worker_threads";
import { throwUncaught } from "#supabase/embedded/session/sql-error";
import threadFile from "virtual:backend-thread";
import { withTimeout } from "~/lib/with-timeout";
import { forwardToConsole } from "../../observability/console-line.server";
import type { Log } from "../../observability/log.server";
import type { EmbeddedStart } from "./embedded-start.server";
import { type SiteFunctions, type ThreadFunctions, connectThreads, errorFrom } from "./thread-calls.server";
import { type StuckCause, type ThreadTimeouts, watchThread } from "./watch-thread.server";

/** A thread in which the embedded backend is open. */
export interface BackendThread {
  /** what a start tells */
  facts: Awaited<ReturnType<ThreadFunctions["open"]>>;
  calls: ReturnType<typeof connectThreads<ThreadFunctions, SiteFunctions>>;
  /** resolves with the reason once the thread is gone, however it ended */
  ended: Promise<Error>;
  /** Closes the backend; then the thread ends, or is idle. A thread that does not close in time is ended. */
  close(): Promise<void>;
}

/** What a thread is started with, beside the backend's own start. */
export interface ThreadDependencies {
  log: Log;
  timeouts: ThreadTimeouts & { threadClose: number };
  /** gives the start up at its next step, or ends the thread when that does not come in time */
  signal: AbortSignal;
  /** one of these is used where there is one, and it comes back when the backend is closed */
  idleThreads?: Worker[] | undefined;
}

/** A thread in a system call cannot be ended; it may take this long to notice. */
const endingMs = 2_000;

/**
 * Starts a thread and opens the embedded backend in it. From then on the thread is watched, and ended when it is stuck.
 * @throws what kept it from opening, or the signal's reason; the thread is gone then
 */
export async function startBackendThread(
  start: EmbeddedStart,
  { log, timeouts, signal, idleThreads }: ThreadDependencies,
): Promise<BackendThread> {
  const worker = idleThreads?.pop() ?? new Worker(new URL(threadFile));
  // An idle one still tells its last backend's site.
  worker.removeAllListeners();
  worker.ref();
  const calls = connectThreads<ThreadFunctions, SiteFunctions>(worker, {
    log: (level, event) => log[level](event),
    print: forwardToConsole,
    warn: (warning) => process.emit("warning", errorFrom(warning)),
    setLongWork: (isUnderWay) => watch.setLongWork(isUnderWay),
  });
  const probes = { isAlive: () => calls.isAlive(), isDatabaseFree: () => calls.pingDatabase() };
  const watch = watchThread(probes, (cause) => void endStuck(worker, log, cause), timeouts);
  const ended = waitForEnd(worker);
  void ended.then((reason) => calls.$close(new TypeError("embedded backend is away", { cause: reason })));
  void ended.then(watch.stop);
  let terminationTimer: NodeJS.Timeout | undefined;
  const abortOpening = () => {
    void calls.abortOpening().catch(() => {});
    terminationTimer = setTimeout(() => void worker.terminate(), timeouts.threadClose);
  };
  signal.addEventListener("abort", abortOpening, { once: true });
  if (signal.aborted) abortOpening();
  try {
    watch.setLongWork(true);
    const died = ended.then((reason) => Promise.reject(reason));
    const facts = await Promise.race([calls.open(start), died]);
    watch.setLongWork(false);
    // What keeps the process running is that it listens, as before anything was opened.
    worker.unref();
    return {
      facts,
      calls,
      ended,
      async close() {
        watch.stop();
        worker.ref();
        let isClosed = false;
        try {
          const closed = calls.close().then(() => true);
          isClosed = await withTimeout(closed, timeouts.threadClose, () => false);
          if (!isClosed) log.error({ event: "embedded.not-closed", remedy: "nothing: accepted forms are on the disk" });
        } finally {
          calls.$close(new TypeError("embedded backend is closed"));
          if (isClosed && idleThreads !== undefined) {
            worker.unref();
            idleThreads.push(worker);
          } else await end(worker);
        }
      },
    };
  } catch (error) {
    watch.stop();
    await end(worker);
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearTimeout(terminationTimer);
    signal.removeEventListener("abort", abortOpening);
  }
}

async function endStuck(worker: Worker, log: Log, cause: StuckCause): Promise<void> {
  log.error({ event: "embedded.thread-stuck", cause, remedy: "nothing: the thread is ended and started again" });
  // A thread that goes on holds the database's files: no other may be started on them.
  if (!(await end(worker))) throwUncaught(new Error("The backend's thread could not be ended."));
}

/** @returns whether the thread is gone */
async function end(worker: Worker): Promise<boolean> {
  return withTimeout(
    worker.terminate().then(() => true),
    endingMs,
    () => false,
  );
}

function waitForEnd(worker: Worker): Promise<Error> {
  return new Promise((resolve) => {
    worker.once("error", resolve);
    worker.once("exit", (code) => resolve(new Error(`The backend's thread ended with ${code}.`)));
  });
}
