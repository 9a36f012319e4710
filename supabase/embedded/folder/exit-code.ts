/**
 * Runs `work` and puts the process's exit code back. PostgreSQL compiled by Emscripten writes its own there whenever
 * it starts, stops or meets an error in a statement: a script that failed would report success, and a server that
 * answered one bad request would report failure when it stops.
 */
export async function keepExitCode<T>(work: () => Promise<T>): Promise<T> {
  const before = process.exitCode;
  try {
    return await work();
  } finally {
    process.exitCode = before;
  }
}

/** The same for work that does not wait, so that nothing else can have meant to set the code meanwhile. */
export function keepExitCodeSync<T>(work: () => T): T {
  const before = process.exitCode;
  try {
    return work();
  } finally {
    process.exitCode = before;
  }
}
