/**
 * Lets one piece of work at a time reach the database session.
 *
 * PGlite has a single session, and @supabase/lite opens its transactions on it by plain BEGIN: two requests at once
 * share a transaction and its role, so that a visitor reads with the rights of the service role, and one request's
 * ROLLBACK takes another's acknowledged rows.
 */
export class Mutex {
  #tail: Promise<unknown> = Promise.resolve();

  /**
   * Runs `work` after everything that was asked for before.
   * @param signal aborted while waiting: the work never runs. Aborted while running: the caller is rejected, but the
   *   work finishes, because an abandoned transaction would stay open for the next caller.
   * @throws what `work` throws, or the signal's reason
   */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const result = this.#tail.then(() => {
      signal?.throwIfAborted();
      return work();
    });
    this.#tail = result.catch(() => undefined);
    return signal ? rejectOnAbort(result, signal) : result;
  }

  /** Resolves once nothing runs or waits any more, including what was added in the meantime. */
  async idle(): Promise<void> {
    let seen: Promise<unknown>;
    do {
      seen = this.#tail;
      await seen;
    } while (seen !== this.#tail);
  }
}

/** The promise's own outcome, or the signal's reason if that comes first. */
export function rejectOnAbort<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    result.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
