import { rm } from "node:fs/promises";
import { join } from "node:path";
import { listNames } from "./durable-files.ts";

/**
 * Names in a data folder that belong to a running process, to an unfinished operation or to the operator's own
 * housekeeping, and are no part of what has to be kept. Case does not matter, because some file systems
 * take `Backups` for `backups`.
 */
const passing = [
  /^lock\./i,
  /^control$/i,
  /^pg\.init/i,
  /^(?:snapshot|restore)-/i,
  /^restore\.ready$/i,
  /^replaced-/i,
  /^backups$/i,
  // A machine's own, not the data's.
  /^clock\.json$/i,
  /^privacy-pack$/i,
  // What a file system puts into the root of a volume.
  /^lost\+found$/i,
  /\.tmp$/i,
];

/** Where backups go unless the operator names a file; no part of later backups. */
export const backupsFolder = "backups";

/** Where `privacy-pack` writes unless the operator names a folder; made anew whenever it is asked for. */
export const privacyPackFolder = "privacy-pack";

/** False for what only passes through the data folder. */
export function isKept(name: string): boolean {
  return !passing.some((pattern) => pattern.test(name));
}

/**
 * Decides whether a backup may hold this path: `makeBackup` copies such paths only, and any other could block a later operation.
 * @param path relative, with `/`
 */
export function isOfBackup(path: string): boolean {
  const parts = path.split("/");
  if (parts.some((part) => part === "" || part === "." || part === "..")) return false;
  return parts[0] === "pg" || parts.every(isKept);
}

/** The names of all that has to be kept of a data folder, sorted; none for a folder that does not exist. */
export async function listKept(dataDir: string): Promise<string[]> {
  return (await listNames(dataDir)).filter(isKept).toSorted();
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
  for (const name of (await listNames(folder)).filter((each) => pattern.test(each)))
    await rm(join(folder, name), { recursive: true, force: true });
}
