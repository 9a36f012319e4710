import type { Timeouts } from "../../config/timeouts.server";

/** Patience with a thread, in milliseconds. */
export type ThreadTimeouts = Pick<Timeouts, "threadProbe" | "threadSilence" | "threadCall" | "threadLongWork">;

/** Questions to a thread; each promise resolves with the answer, and may never settle. */
export interface ThreadProbes {
  /** needs no SQL: the thread's event loop runs */
  isAlive(): Promise<unknown>;
  /** needs the database, and waits for its turn there like everyone else */
  isDatabaseFree(): Promise<unknown>;
}

/** Reasons for which a thread counts as stuck. */
export type StuckCause = "silent" | "calls-unanswered" | "long-work";

/** Watches one thread for as long as it lives. */
export interface ThreadWatch {
  /** Says that work which may take minutes begins (the thread opens, migrates, or copies for a backup), or is over. */
  setLongWork(isUnderWay: boolean): void;
  stop(): void;
}

/** Calls of the database in a row that must stay unanswered. */
const callsInARow = 3;

/**
 * Watches a thread and reports it as stuck: when it was silent for too long, when three calls of its database in a row
 * stayed unanswered for too long, or when long work does not end. A thread in long work may be silent.
 *
 * Time counts only while the watching thread runs itself: each look adds at most twice the period, so that a machine that
 * was paused or suspended, which stops both threads, ends nothing.
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

  // A thread that has ended rejects its probes; its end is noticed elsewhere.
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
