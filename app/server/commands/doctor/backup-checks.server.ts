import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { backupsFolder } from "#supabase/embedded/folder/data-folder";
import { listNames } from "#supabase/embedded/folder/durable-files";
import { encryptedSuffix, findDate, findUnencrypted } from "#supabase/embedded/folder/expired-backups";
import { Bucket, BucketFailed } from "#supabase/embedded/s3/bucket";
import { type BackupHealth, readBackupHealth } from "../../backend/backup-health.server";
import type { Settings } from "../../config/settings.server";
import { type Finding, type Installation, fix, lookAt, notChecked, ok } from "./finding.server";

const hourMs = 60 * 60 * 1000;

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
  if (ageSeconds === null) {
    const remedy = "A server makes the first one a minute after its start; or run `backup`.";
    return (isNew(settings.dataDir) ? notChecked : lookAt)(name, `${newest}.`, remedy);
  }
  return ok(name, `${newest}.${settings.backupCopies ? "" : " All are on the disk of the data: see BACKUP_TO."}`);
}

/** Returns true in the first hour after the first start, which creates this file. */
function isNew(dataDir: string): boolean {
  const first = statSync(join(dataDir, "secrets.json"), { throwIfNoEntry: false });
  return first === undefined || Date.now() - first.mtimeMs < hourMs;
}

/** Reads the age of the newest copy from the bucket itself. */
async function checkCopies({ backupCopies, backupEveryMs }: Settings, health: BackupHealth | null): Promise<Finding[]> {
  if (backupCopies === null) return [];
  const name = "copies of backups";
  try {
    const names = await new Bucket(backupCopies).list();
    const copies = names.filter((each) => each.endsWith(encryptedSuffix)).flatMap((each) => findDate(each) ?? []);
    const unencrypted = warnOfUnencrypted(findUnencrypted(names), name);
    const newestAt = copies.at(-1)?.at;
    const remedy = "Run `backup`, which copies what is missing.";
    if (newestAt === undefined) return [lookAt(name, "There is none at BACKUP_TO.", remedy), ...unencrypted];
    const text = `The newest is of ${new Date(newestAt).toISOString()}`;
    if (health?.trouble === "not-copied")
      return [fix(name, `The last attempt failed. ${text}.`, remedy), ...unencrypted];
    const isLate = backupEveryMs !== null && Date.now() - newestAt > 2 * backupEveryMs + hourMs;
    return [
      isLate ? fix(name, `${text}, older than twice BACKUP_EVERY.`, remedy) : ok(name, `${text}.`),
      ...unencrypted,
    ];
  } catch (error) {
    if (!(error instanceof BucketFailed)) throw error;
    return [
      fix(name, `BACKUP_TO: ${error.message}`, "Check BACKUP_TO, the AWS_… settings and that key's permissions."),
    ];
  }
}

function warnOfUnencrypted(names: readonly string[], name: string): Finding[] {
  if (names.length === 0) return [];
  const text = `Unencrypted beside encrypted ones: ${names.join(", ")}.`;
  return [lookAt(name, text, "Delete those that you do not need.")];
}
