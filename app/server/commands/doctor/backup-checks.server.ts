import { existsSync } from "node:fs";
import { join } from "node:path";
import { backupsFolder } from "#supabase/embedded/folder/data-folder";
import { listNames } from "#supabase/embedded/folder/durable-files";
import { findUnencrypted } from "#supabase/embedded/folder/expired-backups";
import { Bucket, BucketFailed } from "#supabase/embedded/s3/bucket";
import { type BackupHealth, readBackupHealth } from "../../backend/backup-health.server";
import type { Settings } from "../../config/settings.server";
import { type Finding, type Installation, fix, lookAt, notChecked, ok } from "./finding.server";

const hourSeconds = 60 * 60;

/** Checks the age of the newest backup and of its copy, the last failure, and the bucket. */
export async function checkBackups({ settings }: Installation): Promise<Finding[]> {
  if (settings.backend.kind === "hosted")
    return [notChecked("backups", "The project makes them.", "Look into its dashboard (Database, Backups).")];
  const health = await readBackupHealth(settings);
  const names = await listNames(join(settings.dataDir, backupsFolder)).catch(() => []);
  return [
    health === null
      ? lookAt("backups", "BACKUP_EVERY is off.", "Set it, or run `backup` from a timer of the machine.")
      : judgeNewest(health, settings),
    ...warnOfUnencrypted(findUnencrypted(names), "backups"),
    ...(await checkCopies(settings, health)),
  ];
}

function judgeNewest({ ageSeconds, lastGoodAt, trouble }: BackupHealth, settings: Settings): Finding {
  const name = "backups";
  if (!existsSync(settings.dataDir)) return notChecked(name, "There is no data yet.");
  const newest = ageSeconds === null ? "There is none" : `The newest is of ${lastGoodAt}`;
  if (trouble === "failed")
    return fix(name, `The last attempt failed. ${newest}.`, "Look for backups.failed in the log, or run `backup`.");
  if (trouble === "late")
    return fix(name, `${newest}, older than twice BACKUP_EVERY.`, "Start the server, or run `backup`.");
  if (ageSeconds === null)
    return lookAt(name, `${newest}.`, "A server makes the first one a minute after its start; or run `backup`.");
  return ok(name, `${newest}.${settings.backupCopies ? "" : " All are on the disk of the data: see BACKUP_TO."}`);
}

async function checkCopies(settings: Settings, health: BackupHealth | null): Promise<Finding[]> {
  const { backupCopies, backupEveryMs } = settings;
  if (backupCopies === null) return [];
  const name = "copies of backups";
  try {
    const listed = await new Bucket(backupCopies).list();
    const unencrypted = warnOfUnencrypted(findUnencrypted(listed), name);
    if (health?.trouble === "not-copied")
      return [
        fix(name, "The last copy failed, and the bucket responds now.", "Run `backup`, which copies what is missing."),
        ...unencrypted,
      ];
    const age = health?.copyAgeSeconds ?? null;
    if (age === null)
      return [lookAt(name, "There is none yet.", "Run `backup`, which makes the first."), ...unencrypted];
    const isLate = backupEveryMs !== null && age > (2 * backupEveryMs) / 1000 + hourSeconds;
    const text = `The newest is ${Math.round(age / hourSeconds)} hours old`;
    return [
      isLate
        ? fix(name, `${text}, more than twice BACKUP_EVERY.`, "Run `backup`, and look at the log.")
        : ok(name, `${text}.`),
      ...unencrypted,
    ];
  } catch (error) {
    if (!(error instanceof BucketFailed)) throw error;
    return [
      fix(name, `BACKUP_TO: ${error.message}`, "Check BACKUP_TO, the AWS_… settings and the rights of that key."),
    ];
  }
}

function warnOfUnencrypted(names: readonly string[], name: string): Finding[] {
  if (names.length === 0) return [];
  const text = `Unencrypted beside encrypted ones: ${names.join(", ")}.`;
  return [lookAt(name, text, "Delete those that you do not need.")];
}
