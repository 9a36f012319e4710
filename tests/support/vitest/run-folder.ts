import { existsSync, readdirSync, rmSync, statSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const prefix = "advisory-tests-";

/** Bytes that must be free in memory before tests take from it; they have used up to a tenth at once. */
const plenty = 4 * 2 ** 30;

/**
 * What a run's process keeps for all its test files, and what is temporary in those to which a disk means nothing. Every
 * data folder has a thousand files, which a disk takes ten times as long to make as memory does.
 */
export const runFolder = join(findBase(), `${prefix}${process.pid}`);

/** Removes what runs of this user have left that were killed: another's are theirs to remove. */
export function removeDeadRunFolders(): void {
  const base = findBase();
  for (const name of readdirSync(base).filter((entry) => entry.startsWith(prefix))) {
    const folder = join(base, name);
    const isOwn = statSync(folder, { throwIfNoEntry: false })?.uid === process.getuid?.();
    if (isOwn && !isRunning(Number(name.slice(prefix.length)))) rmSync(folder, { recursive: true, force: true });
  }
}

function findBase(): string {
  const memory = "/dev/shm";
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > plenty ? memory : tmpdir();
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process runs all the same.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
