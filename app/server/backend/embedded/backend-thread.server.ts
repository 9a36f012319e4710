import { Worker } from "node:worker_threads";
import { throwUncaught } from "#supabase/embedded/session/sql-error";
import threadFile from "virtual:backend-thread";
import { withTimeout } from "~/lib/with-timeout";
import { forwardToConsole } from "../../observability/console-line.server";
import type { Log } from "../../observability/log.server";
import type { EmbeddedStart } from "./embedded-start.server";
import { type SiteFunctions, type ThreadFunctions, connectThreads, errorFrom } from "./thread-calls.server";
import { type StuckCause, type ThreadTimeouts, watchThread } from "./watch-thread.server";

/** Worker thread with an open embedded backend. */
export interface BackendThread {
  /** address and keys of the backend, and the first admin */
  facts: Awaited<ReturnType<ThreadFunctions["open"]>>;
  calls: ReturnType<typeof connectThreads<ThreadFunctions, SiteFunctions>>;
  /** resolves with the reason when the thread has ended for any cause */
  ended: Promise<Error>;
  /** Closes the backend; the thread then ends or becomes idle. A thread that misses the timeout is terminated. */
  close(): Promise<void>;
}

/** Dependencies of a backend thread. */
export interface ThreadDependencies {
  log: Log;
  timeouts: ThreadTimeouts & { threadClose: number };
  /** cancels the start at its next step, or terminates the thread if that takes too long */
  signal: AbortSignal;
  /** pool of idle threads: a start takes one if there is one, and a closed backend returns it */
  idleThreads?: Worker[] | undefined;
}

/** A thread cannot be terminated during a system call; this is how long it may take. */
const endingMs = 2_000;

/**
 * Starts a worker thread and opens the embedded backend in it. From then on the thread is watched, and terminated if it
 * is stuck.
 * @throws the error that prevented opening, or the signal's reason; the thread has ended then
 */
export async function startBackendThread(
  start: EmbeddedStart,
  { log, timeouts, signal, idleThreads }: ThreadDependencies,
): Promise<BackendThread> {
  const worker = idleThreads?.pop() ?? new Worker(new URL(threadFile));
  // An idle thread still has listeners of its previous site.
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
  void ended.then((reason) => calls.$close(new TypeError("embedded backend is down", { cause: reason })));
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
    // Only the listening socket keeps the process running, as before the backend opened.
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
          if (!isClosed)
            log.error({ event: "embedded.not-closed", remedy: "none needed: accepted forms are on the disk" });
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
  log.error({ event: "embedded.thread-stuck", cause, remedy: "none needed: the thread is terminated and restarted" });
  // A running thread holds the database's files, so no second one may open them.
  if (!(await end(worker))) throwUncaught(new Error("The backend's thread could not be terminated."));
}

/** @returns true if the thread has ended */
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
    worker.once("exit", (code) => resolve(new Error(`The backend's thread ended with exit code ${code}.`)));
  });
}
