/** Work that is done again and again. */
export interface Repetition {
  /** No run begins any more. @returns once the run under way, if there is one, is over */
  stop(): Promise<void>;
}

/**
 * Does work by the clock, one run at a time, until it is stopped. The timer keeps no process alive.
 * @param work must not reject
 * @param times `everyMs` from the end of one run to the next; `firstAfterMs` from now to the first, as long unless given
 */
export function repeat(
  work: () => Promise<void>,
  { everyMs, firstAfterMs = everyMs }: { everyMs: number; firstAfterMs?: number },
): Repetition {
  let running = Promise.resolve();
  let isStopped = false;
  let timer = setTimeout(tick, firstAfterMs).unref();

  function tick(): void {
    running = workAndWait();
  }
  async function workAndWait(): Promise<void> {
    await work();
    if (!isStopped) timer = setTimeout(tick, everyMs).unref();
  }

  return {
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      return running;
    },
  };
}
