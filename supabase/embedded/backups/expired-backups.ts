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

/** A backup, or content that a restore replaced; `at`: its time by its name, in milliseconds since 1970. */
export interface Dated {
  name: string;
  at: number;
}

/** Reads the time of a complete backup from its name. Returns null for any other name. */
export function findDate(name: string): Dated | null {
  return dateNames([name], backupName)[0] ?? null;
}

/** Finds unencrypted backups among encrypted ones. They are older than the key, or did not come from this server. */
export function findUnencrypted(names: readonly string[]): string[] {
  const backups = names.filter(findDate);
  const plain = backups.filter((name) => !name.endsWith(encryptedSuffix));
  return plain.length === backups.length ? [] : plain;
}

/** Returns the name of the folder that takes the content a restore replaces. */
export function nameReplaced(at: string): string {
  return `replaced-${withoutColons(at)}`;
}

/** The time in a name stays true when the file is copied. */
const backupName = /^backup-([\d-]{10}T[\d-]{12}Z)\.tar\.gz(?:\.age)?$/;
const draftName = /^backup-([\d-]{10}T[\d-]{12}Z)\.tar\.gz(?:\.age)?\.[0-9a-f-]{36}\.tmp$/;
const replacedName = /^replaced-([\d-]{10}T[\d-]{12}Z)$/;

/**
 * Deletes the backups in a folder that are older than the given days. Recognizes backups by name. Keeps the newest
 * regardless of its age.
 * @param folder need not exist
 */
export async function removeExpiredBackups(folder: string, days: number): Promise<ExpiredBackups> {
  const names = await listNames(folder);
  const { expired, outdated } = pickExpired(names, days);
  const drafts = dateNames(names, draftName).filter(({ at }) => isExpired(at, days));
  const deleted = await remove(folder, [...expired, ...drafts.map(({ name }) => name)]);
  return { deleted, outdated: outdated && join(folder, outdated) };
}

/**
 * Finds the newest backup in a folder, by the times in the names.
 * @param folder need not exist
 * @param now milliseconds since 1970; a backup from a later time was named by a wrong clock
 * @returns null when there is none
 */
export async function findNewestBackup(folder: string, now: number): Promise<Dated | null> {
  return (await listBackups(folder)).findLast(({ at }) => at <= now) ?? null;
}

/** Lists the complete backups in a folder, oldest first. */
export async function listBackups(folder: string): Promise<Dated[]> {
  return dateNames(await listNames(folder), backupName);
}

/**
 * Selects the names of backups older than the given days, oldest first. The newest backup is not among them: if it is
 * as old, it is `outdated`. A future date comes from a wrong clock, or from elsewhere, and makes no backup the newest.
 */
export function pickExpired(names: readonly string[], days: number): { expired: string[]; outdated: string | null } {
  const backups = dateNames(names, backupName);
  const newest = backups.findLast(({ at }) => at <= Date.now())?.name;
  const expired = backups.filter(({ at }) => isExpired(at, days)).map(({ name }) => name);
  return {
    expired: expired.filter((name) => name !== newest),
    outdated: expired.find((name) => name === newest) ?? null,
  };
}

/** Deletes expired backups in a data folder, and expired content that restores have replaced there. */
export async function tidyBackups(dataDir: string, days: number): Promise<ExpiredBackups> {
  const replaced = dateNames(await listNames(dataDir), replacedName).filter(({ at }) => isExpired(at, days));
  const [backups, folders] = await Promise.allSettled([
    removeExpiredBackups(join(dataDir, backupsFolder), days),
    remove(
      dataDir,
      replaced.map(({ name }) => name),
    ),
  ]);
  if (backups.status === "rejected") throw backups.reason;
  if (folders.status === "rejected") throw folders.reason;
  return { deleted: [...backups.value.deleted, ...folders.value], outdated: backups.value.outdated };
}

function dateNames(names: readonly string[], pattern: RegExp): Dated[] {
  return names
    .map((name) => ({ name, at: readTime(pattern.exec(name)?.[1] ?? "") }))
    .filter(({ at }) => !Number.isNaN(at))
    .toSorted((a, b) => a.at - b.at);
}

function withoutColons(time: string): string {
  return time.replaceAll(/[:.]/g, "-");
}

function readTime(text: string): number {
  return Date.parse(text.replace(/T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/, "T$1:$2:$3.$4Z"));
}

function isExpired(at: number, days: number): boolean {
  return at < Date.now() - days * 24 * 60 * 60 * 1000;
}

/** Tries all, and then throws the first failure. */
async function remove(folder: string, names: string[]): Promise<string[]> {
  const paths = names.map((name) => join(folder, name));
  const results = await Promise.allSettled(paths.map((path) => rm(path, { recursive: true, force: true })));
  for (const result of results) if (result.status === "rejected") throw result.reason;
  return paths;
}
