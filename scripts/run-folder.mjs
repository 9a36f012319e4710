import { existsSync, readdirSync, rmSync, statSync, statfsSync } from "node:fs";
import { chmod, mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const prefix = "advisory-tests-";

/** Bytes that must be free in memory before tests take from it; they have used up to a tenth at once. */
const enoughFreeBytes = 4 * 2 ** 30;

const removal = { recursive: true, force: true, maxRetries: 3 };

/**
 * What a run of tests keeps for all its processes, and what is temporary in those to which a disk means nothing. Every data
 * folder has a thousand files, which a disk takes ten times as long to make as memory does, and a browser makes one for
 * every picture of a page that its processes share.
 */
export const runFolder = join(findBase(), `${prefix}${process.pid}`);

/** Makes it, empty. */
export async function makeRunFolder() {
  removeDeadRunFolders();
  await removeRunFolder();
  await mkdir(runFolder);
  // PostgreSQL may run as another user, whose folder lies in this one.
  await chmod(runFolder, 0o711);
}

/** Removes it with all that is in it. */
export async function removeRunFolder() {
  await rm(runFolder, removal);
}

/**
 * Removes what runs of this user have left that were killed: another's are theirs to remove. Two runs may do so at the same
 * moment, Vitest's and the journeys'.
 */
function removeDeadRunFolders() {
  const base = findBase();
  for (const name of readdirSync(base).filter((entry) => entry.startsWith(prefix))) {
    const folder = join(base, name);
    const isOwn = statSync(folder, { throwIfNoEntry: false })?.uid === process.getuid?.();
    if (isOwn && !isRunning(Number(name.slice(prefix.length)))) rmSync(folder, removal);
  }
}

function findBase() {
  const memory = "/dev/shm";
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > enoughFreeBytes ? memory : tmpdir();
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process runs all the same.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
