import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/**
 * Names in a data folder that belong to a running process, to an unfinished operation or to the operator's own
 * housekeeping, and are no part of what has to be kept.
 */
const passing = [
  /^lock\./,
  /^control$/,
  /^pg\.init/,
  /^(?:snapshot|restore)-/,
  /^restore\.ready$/,
  /^replaced-/,
  /^backups$/,
  // A machine's own, not the data's.
  /^clock\.json$/,
  /^privacy-pack$/,
  // What a file system puts into the root of a volume.
  /^lost\+found$/,
  /\.tmp$/,
];

/** Where backups go unless the operator names a file; no part of later backups. */
export const backupsFolder = "backups";

/** Where `privacy-pack` writes unless the operator names a folder; made anew whenever it is asked for. */
export const privacyPackFolder = "privacy-pack";

/** False for what only passes through the data folder. */
export function isKept(name: string): boolean {
  return !passing.some((pattern) => pattern.test(name));
}

/** The names of all that has to be kept of a data folder, sorted; none for a folder that does not exist. */
export async function listKept(dataDir: string): Promise<string[]> {
  const names = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return names.filter(isKept).toSorted();
}

/**
 * Removes leftovers of killed operations, unfinished backups among them. Only for the process that holds the folder's lock:
 * whoever makes a backup there needs a snapshot, which that process keeps.
 */
export async function removeLeftovers(dataDir: string): Promise<void> {
  await removeNamed(dataDir, /^(?:snapshot|restore)-/);
  await removeNamed(join(dataDir, backupsFolder), /^backup-.*\.tmp$/);
}

async function removeNamed(folder: string, pattern: RegExp): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  for (const name of names.filter((each) => pattern.test(each)))
    await rm(join(folder, name), { recursive: true, force: true });
}
