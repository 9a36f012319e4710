/**
 * Runs `work` and restores the process's exit code. PostgreSQL compiled by Emscripten overwrites it whenever it starts,
 * stops or meets an error in a statement. Without this, a failed script would report success, and a server that handled
 * one bad request would report failure when it stops.
 */
export async function keepExitCode<T>(work: () => Promise<T>): Promise<T> {
  const before = process.exitCode;
  try {
    return await work();
  } finally {
    process.exitCode = before;
  }
}

/** Does the same for synchronous work, during which no other code can have set the exit code on purpose. */
export function keepExitCodeSync<T>(work: () => T): T {
  const before = process.exitCode;
  try {
    return work();
  } finally {
    process.exitCode = before;
  }
}
