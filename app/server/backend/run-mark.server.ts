import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Empty file in the data folder while a server runs on it. Backups leave it out. */
const markName = "running";

/**
 * Marks the data folder as that of a running server. The caller holds its lock.
 * @returns true if the last server did not remove its mark: it crashed, was killed, or the machine lost power
 */
export function markRun(dataDir: string): boolean {
  const path = join(dataDir, markName);
  const isLeft = existsSync(path);
  try {
    writeFileSync(path, "", { mode: 0o600 });
  } catch {
    // A full disk must not prevent the start.
  }
  return isLeft;
}

/** Removes the mark when the server has stopped in order. */
export function unmarkRun(dataDir: string): void {
  rmSync(join(dataDir, markName), { force: true });
}
