import { rm } from "node:fs/promises";
import { join } from "node:path";
import { listNames } from "./durable-files.ts";

/**
 * Names in a data folder that belong to a running process, to an unfinished operation or to the operator's own
 * maintenance. Backups leave them out. Case does not matter, because some file systems treat `Backups` as `backups`.
 */
const temporaryNames = [
  /^lock\./i,
  /^control$/i,
  /^running$/i,
  /^pg\.init/i,
  /^(?:snapshot|restore)-/i,
  /^restore\.(?:ready|moving)/i,
  /^replaced-/i,
  /^backups$/i,
  // Belongs to the machine, not to the data.
  /^(?:clock|last-failure)\.json$/i,
  /^privacy-pack$/i,
  // File systems create this in the root of a volume.
  /^lost\+found$/i,
  /\.tmp$/i,
];

/** File in each data folder whose site was ready once. Backups hold it. */
export const markerName = "started.json";

/** Default folder of backups; later backups leave it out. */
export const backupsFolder = "backups";

/** Default folder of `privacy-pack`. The command can recreate its content at any time. */
export const privacyPackFolder = "privacy-pack";

/** Returns true for names that a backup holds, false for temporary ones. */
export function isKept(name: string): boolean {
  return !temporaryNames.some((pattern) => pattern.test(name));
}

/**
 * Returns true if a backup may hold this path. `makeBackup` copies no other paths, and another path could block a later
 * operation.
 * @param path relative, with `/`
 */
export function isBackupPath(path: string): boolean {
  const parts = path.split("/");
  if (parts.some((part) => part === "" || part === "." || part === "..")) return false;
  return parts[0] === "pg" || parts.every(isKept);
}

/**
 * Lists the names in a data folder that a backup holds, sorted. Returns an empty list for a folder that does not exist.
 */
export async function listKept(dataDir: string): Promise<string[]> {
  return (await listNames(dataDir)).filter(isKept).toSorted();
}

/**
 * Removes leftovers of killed operations, including unfinished backups. Only the process that holds the folder's lock
 * may call this: a command that makes a backup there needs a snapshot, which that process holds.
 */
export async function removeLeftovers(dataDir: string): Promise<void> {
  await removeNamed(dataDir, /^(?:snapshot|restore|pg\.init)-/);
  // An unusable backups folder is reported as trouble (`findBackupsProblem`), and stops no start.
  await removeNamed(join(dataDir, backupsFolder), /^backup-.*\.tmp$/).catch(() => undefined);
}

async function removeNamed(folder: string, pattern: RegExp): Promise<void> {
  for (const name of (await listNames(folder)).filter((each) => pattern.test(each)))
    // The child of a killed server lives on for a moment, and still writes files of a new database: four seconds in all.
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 8, retryDelay: 110 });
}
