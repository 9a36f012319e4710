import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ReportedEvent } from "#supabase/functions/_shared/trouble";

/** File in the data folder while a server runs on it: empty, or the cause of its end. Backups leave it out. */
const markName = "running";

type Ending = Extract<ReportedEvent, "process-ended" | "process-stuck">;
const stuck: Ending = "process-stuck";

/**
 * Marks the data folder as that of a running server. The caller holds its lock.
 * @returns null if the last server removed its mark; `process-stuck` if its watcher ended it; `process-ended` if it
 *   crashed, was killed, or the machine lost power
 */
export function markRun(dataDir: string): Ending | null {
  const path = join(dataDir, markName);
  const isLeft = existsSync(path);
  const ending = isLeft && readFileSync(path, "utf8") === stuck ? stuck : "process-ended";
  writeMark(dataDir, "");
  return isLeft ? ending : null;
}

/** Notes in the mark that this server is stuck, right before its watcher ends it. */
export function markStuck(dataDir: string): void {
  writeMark(dataDir, stuck);
}

/** Removes the mark when the server has stopped in order. */
export function unmarkRun(dataDir: string): void {
  rmSync(join(dataDir, markName), { force: true });
}

function writeMark(dataDir: string, content: string): void {
  try {
    writeFileSync(join(dataDir, markName), content, { mode: 0o600 });
  } catch {
    // A full disk must not prevent the start.
  }
}
