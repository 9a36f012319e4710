import { rm } from "node:fs/promises";
import { join } from "node:path";
import { backupsFolder } from "../folder/data-folder.ts";
import { listNames } from "../folder/durable-files.ts";

/** Result of a search for backups past their retention period. */
export interface ExpiredBackups {
  /** paths of the deleted files, oldest first */
  deleted: string[];
  /** the newest backup of a folder if it is past its retention period; it stays because there is no newer one */
  outdated: string | null;
}

/** Suffix of encrypted files (age-encryption.org). */
export const encryptedSuffix = ".age";

/** Returns the file name of a backup made at the given time. */
export function nameBackup(madeAt: string, isEncrypted: boolean): string {
  return `backup-${withoutColons(madeAt)}.tar.gz${isEncrypted ? encryptedSuffix : ""}`;
}

/**
 * Reads the time of a complete backup from its name, `at` in milliseconds since 1970. Returns null for any other name.
 */
export function findDate(name: string): { name: string; at: number } | null {
  return name.endsWith(".tmp") ? null : (dateNames([name], backupName)[0] ?? null);
}

/** Returns true for names that this program gives to complete backups. */
export function isBackupName(name: string): boolean {
  return findDate(name) !== null;
}

/** Finds unencrypted backups among encrypted ones. They are older than the key, or did not come from this server. */
export function findUnencrypted(names: readonly string[]): string[] {
  const backups = names.filter(isBackupName);
  const plain = backups.filter((name) => !name.endsWith(encryptedSuffix));
  return plain.length === backups.length ? [] : plain;
}

/** Returns the name of the folder that takes the content a restore replaces. */
export function nameReplaced(at: string): string {
  return `replaced-${withoutColons(at)}`;
}

/** Names of backups, including unfinished ones. The time in the name stays true when the file is copied. */
const backupName = /^backup-([\d-]{10}T[\d-]{12}Z)\.tar\.gz(?:\.age)?(?:\.[0-9a-f-]{36}\.tmp)?$/;
const replacedName = /^replaced-([\d-]{10}T[\d-]{12}Z)$/;

/**
 * Deletes the backups in a folder that are older than the given days. Recognizes backups by name. Keeps the newest
 * regardless of its age.
 * @param folder need not exist
 */
export async function removeExpiredBackups(folder: string, days: number): Promise<ExpiredBackups> {
  const backups = await listDated(folder, backupName);
  const newest = findPast(backups.filter(({ name }) => !name.endsWith(".tmp")));
  const expired = backups.filter((backup) => isExpired(backup, days));
  const deleted = await remove(
    folder,
    expired.filter((backup) => backup !== newest),
  );
  return { deleted, outdated: newest && isExpired(newest, days) ? join(folder, newest.name) : null };
}

/**
 * Finds the newest backup in a folder, by the times in the names.
 * @param folder need not exist
 * @param now milliseconds since 1970; a backup from a later time was named by a wrong clock
 * @returns null when there is none
 */
export async function findNewestBackup(folder: string, now: number): Promise<{ name: string; at: number } | null> {
  return (await listBackups(folder)).findLast(({ at }) => at <= now) ?? null;
}

/** Lists the complete backups in a folder, oldest first; `at` in milliseconds since 1970. */
export async function listBackups(folder: string): Promise<{ name: string; at: number }[]> {
  return (await listDated(folder, backupName)).filter(({ name }) => !name.endsWith(".tmp"));
}

/** Selects the names of backups older than the given days, oldest first, except the newest backup of all. */
export function pickExpired(names: readonly string[], days: number): string[] {
  const backups = dateNames(names.filter(isBackupName), backupName);
  const newest = findPast(backups);
  return backups.filter((backup) => backup !== newest && isExpired(backup, days)).map(({ name }) => name);
}

/** Deletes expired backups in a data folder, and expired content that restores have replaced there. */
export async function tidyBackups(dataDir: string, days: number): Promise<ExpiredBackups> {
  const replaced = (await listDated(dataDir, replacedName)).filter((folder) => isExpired(folder, days));
  const [backups, folders] = await Promise.allSettled([
    removeExpiredBackups(join(dataDir, backupsFolder), days),
    remove(dataDir, replaced),
  ]);
  if (backups.status === "rejected") throw backups.reason;
  if (folders.status === "rejected") throw folders.reason;
  return { deleted: [...backups.value.deleted, ...folders.value], outdated: backups.value.outdated };
}

/**
 * Finds the newest backup that is not dated in the future. A future date comes from a wrong clock, or from elsewhere.
 */
function findPast(backups: readonly Dated[]): Dated | undefined {
  return backups.findLast(({ at }) => at <= Date.now());
}

interface Dated {
  name: string;
  at: number;
}

async function listDated(folder: string, pattern: RegExp): Promise<Dated[]> {
  return dateNames(await listNames(folder), pattern);
}

function dateNames(names: readonly string[], pattern: RegExp): Dated[] {
  return names
    .flatMap((name) => {
      const at = readTime(pattern.exec(name)?.[1] ?? "");
      return Number.isNaN(at) ? [] : [{ name, at }];
    })
    .toSorted((a, b) => a.at - b.at);
}

function withoutColons(time: string): string {
  return time.replaceAll(/[:.]/g, "-");
}

function readTime(text: string): number {
  return Date.parse(text.replace(/T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/, "T$1:$2:$3.$4Z"));
}

function isExpired({ at }: Dated, days: number): boolean {
  return at < Date.now() - days * 24 * 60 * 60 * 1000;
}

async function remove(folder: string, expired: Dated[]): Promise<string[]> {
  const deleted: string[] = [];
  const failures: unknown[] = [];
  for (const path of expired.map(({ name }) => join(folder, name))) {
    await rm(path, { recursive: true, force: true }).then(
      () => deleted.push(path),
      (error: unknown) => failures.push(error),
    );
  }
  if (failures.length > 0) throw failures[0];
  return deleted;
}
