import { existsSync, readdirSync, rmSync, statSync, statfsSync } from "node:fs";
import { chmod, mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const prefix = "advisory-tests-";

/** Free memory that the memory disk must have; tests have used up to a tenth of it at a time. */
const enoughFreeBytes = 4 * 2 ** 30;

const removal = { recursive: true, force: true, maxRetries: 3 };

/**
 * Folder of a test run: files that its processes share, and temporary files that need no disk. A data folder has a
 * thousand files, which take ten times as long to create on a disk as in memory, and a browser creates one for every
 * screenshot that its processes share.
 */
export const runFolder = join(findBase(), `${prefix}${process.pid}`);

/** Creates it, empty. */
export async function makeRunFolder() {
  removeDeadRunFolders();
  await removeRunFolder();
  await mkdir(runFolder);
  // PostgreSQL may run as another user, with its folder in this one.
  await chmod(runFolder, 0o711);
}

/** Removes it with its contents. */
export async function removeRunFolder() {
  await rm(runFolder, removal);
}

/**
 * Removes folders of this user's killed runs; other users remove theirs. Two runs may do this at the same time: Vitest
 * and the journeys.
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
    // EPERM: another user's process is running.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
