/** Work that repeats on a timer. */
export type Repetition = ReturnType<typeof repeat>;

/**
 * Repeats work on a timer, one run at a time, until it is stopped. The timer does not keep the process alive.
 * @param work must not reject
 * @param times `everyMs`: from the end of one run to the start of the next; `firstAfterMs`: from now to the first run,
 * `everyMs` by default
 */
export function repeat(
  work: () => Promise<void>,
  { everyMs, firstAfterMs = everyMs }: { everyMs: number; firstAfterMs?: number },
) {
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
    /** Starts no further run. @returns a promise that resolves when the current run, if any, has ended */
    stop: (): Promise<void> => {
      isStopped = true;
      clearTimeout(timer);
      return running;
    },
  };
}
