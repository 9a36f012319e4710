import type { Timeouts } from "../../config/timeouts.server";

/** Timeouts of a watched thread. */
export type ThreadTimeouts = Pick<Timeouts, "threadProbe" | "threadSilence" | "threadCall" | "threadLongWork">;

/** Probes of a thread. A promise may never settle. */
export interface ThreadProbes {
  /** resolves without SQL, so it proves that the thread's event loop runs */
  isAlive(): Promise<unknown>;
  /** resolves after a query, which waits in the database's queue like any other */
  isDatabaseFree(): Promise<unknown>;
}

/** Reasons to consider a thread stuck. */
export type StuckCause = "silent" | "calls-unanswered" | "long-work";

/** Watch over one thread while it lives. */
export interface ThreadWatch {
  /** Marks the beginning or end of work that may take minutes: opening, migrating, or copying for a backup. */
  setLongWork(isUnderWay: boolean): void;
  stop(): void;
}

/** Consecutive database calls without a result that make a thread stuck. */
const callsInARow = 3;

/**
 * Watches a thread and reports it as stuck in three cases: it was silent for too long, three consecutive database calls
 * took too long, or long work does not end. During long work a thread may be silent.
 *
 * Only time in which the watching thread runs counts: each check adds at most twice the interval. A paused or suspended
 * machine stops both threads, and must not make one look stuck.
 * @param reportStuck called at most once
 */
export function watchThread(
  probes: ThreadProbes,
  reportStuck: (cause: StuckCause) => void,
  { threadProbe, threadSilence, threadCall, threadLongWork }: ThreadTimeouts,
): ThreadWatch {
  let checkedAt = performance.now();
  let watchedMs = 0;
  let longWorkSince: number | null = null;
  let respondedAt = 0;
  let isProbing = false;
  let calledAt: number | null = null;
  let unanswered = 0;
  const timer = setInterval(check, threadProbe).unref();

  function check(): void {
    const now = performance.now();
    watchedMs += Math.min(now - checkedAt, 2 * threadProbe);
    checkedAt = now;
    const cause = findCause();
    if (cause === null) return sendProbes();
    clearInterval(timer);
    reportStuck(cause);
  }

  function findCause(): StuckCause | null {
    if (longWorkSince !== null) return watchedMs - longWorkSince >= threadLongWork ? "long-work" : null;
    if (watchedMs - respondedAt >= threadSilence) return "silent";
    if (calledAt !== null && watchedMs - calledAt >= threadCall) {
      calledAt = null;
      unanswered += 1;
    }
    return unanswered >= callsInARow ? "calls-unanswered" : null;
  }

  // A thread that has ended rejects its probes; other code handles its end.
  function sendProbes(): void {
    if (longWorkSince !== null) return;
    if (!isProbing) {
      isProbing = true;
      const onResult = () => {
        isProbing = false;
        respondedAt = watchedMs;
      };
      probes.isAlive().then(onResult, () => {});
    }
    if (calledAt === null) {
      calledAt = watchedMs;
      const onResult = () => {
        calledAt = null;
        unanswered = 0;
      };
      probes.isDatabaseFree().then(onResult, onResult);
    }
  }

  return {
    setLongWork(isUnderWay) {
      longWorkSince = isUnderWay ? watchedMs : null;
      respondedAt = watchedMs;
      calledAt = null;
      unanswered = 0;
    },
    stop: () => clearInterval(timer),
  };
}
