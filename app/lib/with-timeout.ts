/**
 * Waits for a promise for a limited time. The work itself continues after the timeout, and its result is ignored.
 * @param timeoutMs from now; Infinity waits until the work ends
 * @param onTimeout returns the caller's result on timeout; may throw
 * @throws the error of the work or of `onTimeout`
 */
export function withTimeout<T, Late>(work: Promise<T>, timeoutMs: number, onTimeout: () => Late): Promise<T | Late> {
  if (timeoutMs === Infinity) return work;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, timeoutMs));
  });
  return Promise.race([work, timeout.then(onTimeout)]).finally(() => clearTimeout(timer));
}
