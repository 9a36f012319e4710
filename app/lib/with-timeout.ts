/**
 * Waits for a promise for a limited time. The work itself continues, and its result is then ignored.
 * @param timeoutMs from now on; Infinity waits for the end of the work
 * @param onTimeout makes what the caller gets instead of the result; it may throw
 * @throws what the work or `onTimeout` throws
 */
export function withTimeout<T, Late>(work: Promise<T>, timeoutMs: number, onTimeout: () => Late): Promise<T | Late> {
  if (timeoutMs === Infinity) return work;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, timeoutMs));
  });
  return Promise.race([work, timeout.then(onTimeout)]).finally(() => clearTimeout(timer));
}
