/** A backend that test files use one after the other, because starting one takes longer than most files' tests. */
export interface SharedBackend<Backend> {
  backend: Backend;
  /** Restores all rows to their state after the start. Returns false when a table's file has grown too large. */
  restoreRows(): Promise<boolean>;
}

/** Matches a statement that changes more than rows. */
const altersMoreThanRows = /\b(?:create|alter|drop|grant|revoke|comment)\b|(?:^|;)\s*set\b/i;

/**
 * Keeps one idle backend for the next test file of this process.
 * @param start starts one; each statement of a test passes through `note`, which returns it
 * @returns a function that lends a backend in the state after its start; `close` returns it for the next borrower
 */
export function shareBackend<Backend extends { close(): Promise<void> }>(
  start: (note: (statements: string) => string) => Promise<SharedBackend<Backend>>,
): () => Promise<Backend> {
  let idle: SharedBackend<Backend> | undefined;
  const altered = new WeakSet<SharedBackend<Backend>>();
  const open = async () => {
    const shared: SharedBackend<Backend> = await start((statements) => {
      if (altersMoreThanRows.test(statements)) altered.add(shared);
      return statements;
    });
    return shared;
  };
  return async () => {
    const lent = idle;
    idle = undefined;
    const shared = lent ?? (await open());
    let closing: Promise<void> | undefined;
    const giveBack = async () => {
      if (altered.has(shared) || idle || !(await shared.restoreRows())) return shared.backend.close();
      idle = shared;
    };
    return { ...shared.backend, close: () => (closing ??= giveBack()) };
  };
}
