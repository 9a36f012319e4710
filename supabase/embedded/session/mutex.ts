/**
 * Serializes access to the database session.
 *
 * PGlite has a single session, and @supabase/lite opens its transactions on it by plain BEGIN. Two concurrent requests
 * would share a transaction and its role: a visitor would read with the rights of the service role, and one request's
 * ROLLBACK would discard another's acknowledged rows.
 */
export class Mutex {
  #tail: Promise<unknown> = Promise.resolve();

  /**
   * Runs `work` after all earlier work.
   * @param signal aborted in the queue: the work never runs. Aborted while running: the caller is rejected, but the
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

  /** Resolves once nothing runs or waits, including work queued in the meantime. */
  async idle(): Promise<void> {
    let seen: Promise<unknown>;
    do {
      seen = this.#tail;
      await seen;
    } while (seen !== this.#tail);
  }
}

/** Settles as the promise does, or rejects with the signal's reason if that comes first. */
export function rejectOnAbort<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    result.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
