/**
 * Serializes access to the database session.
 *
 * PGlite has a single session. Without this, a statement could run in the transaction of another request, under its
 * role: a visitor would read with the rights of the service role, and one request's ROLLBACK would discard another's
 * acknowledged rows.
 */
export class Mutex {
  #tail: Promise<unknown> = Promise.resolve();
  #unfinished = 0;

  /** Number of works that run or wait. */
  get length(): number {
    return this.#unfinished;
  }

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
    this.#unfinished += 1;
    this.#tail = result.catch(() => undefined).finally(() => (this.#unfinished -= 1));
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
