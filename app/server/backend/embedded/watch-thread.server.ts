import type { Timeouts } from "../../config/timeouts.server";

/** Patience with a thread, in milliseconds. */
export type ThreadPatience = Pick<Timeouts, "threadQuestion" | "threadSilence" | "threadCall" | "threadLongWork">;

/** Questions to a thread; each promise resolves with the answer, and may never settle. */
export interface ThreadQuestions {
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
  questions: ThreadQuestions,
  reportStuck: (cause: StuckCause) => void,
  { threadQuestion, threadSilence, threadCall, threadLongWork }: ThreadPatience,
): ThreadWatch {
  let lookedAt = performance.now();
  let ran = 0;
  let longWorkSince: number | null = null;
  let heardAt = 0;
  let isAsking = false;
  let calledAt: number | null = null;
  let unanswered = 0;
  const timer = setInterval(look, threadQuestion).unref();

  function look(): void {
    const now = performance.now();
    ran += Math.min(now - lookedAt, 2 * threadQuestion);
    lookedAt = now;
    const cause = findCause();
    if (cause === null) return askAgain();
    clearInterval(timer);
    reportStuck(cause);
  }

  function findCause(): StuckCause | null {
    if (longWorkSince !== null) return ran - longWorkSince >= threadLongWork ? "long-work" : null;
    if (ran - heardAt >= threadSilence) return "silent";
    if (calledAt !== null && ran - calledAt >= threadCall) {
      calledAt = null;
      unanswered += 1;
    }
    return unanswered >= callsInARow ? "calls-unanswered" : null;
  }

  // A thread that has ended rejects its questions; its end is noticed elsewhere.
  function askAgain(): void {
    if (longWorkSince !== null) return;
    if (!isAsking) {
      isAsking = true;
      const answered = () => {
        isAsking = false;
        heardAt = ran;
      };
      questions.isAlive().then(answered, () => {});
    }
    if (calledAt === null) {
      calledAt = ran;
      const answered = () => {
        calledAt = null;
        unanswered = 0;
      };
      questions.isDatabaseFree().then(answered, answered);
    }
  }

  return {
    setLongWork(isUnderWay) {
      longWorkSince = isUnderWay ? ran : null;
      heardAt = ran;
      calledAt = null;
      unanswered = 0;
    },
    stop: () => clearInterval(timer),
  };
}
