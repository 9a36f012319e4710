import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { commandLine } from "~/lib/command-line";
import { readBackupStatus } from "#supabase/embedded/backups/backup-status";
import { backupsFolder } from "#supabase/embedded/folder/data-folder";
import { listNames } from "#supabase/embedded/folder/durable-files";
import { encryptedSuffix, findDate, findUnencrypted } from "#supabase/embedded/backups/expired-backups";
import { requireUsableFolder } from "#supabase/embedded/folder/usable-folder";
import { Bucket, BucketFailed } from "#supabase/embedded/backups/bucket";
import { type BackupHealth, readBackupHealth } from "../../backend/backup-health.server";
import type { Settings } from "../../config/settings.server";
import { type Finding, type Installation, fix, lookAt, notChecked, ok, splitMessage } from "./finding.server";

const hourMs = 60 * 60 * 1000;

/** Checks the age of the newest backup and of its copy, the last failure, and the bucket. */
export async function checkBackups({ settings }: Installation): Promise<Finding[]> {
  if (settings.backend.kind === "hosted")
    return [notChecked("backups", "The project makes them.", "Look into its dashboard (Database, Backups).")];
  requireUsableFolder(settings.dataDir);
  const health = await readBackupHealth(settings);
  const names = await listNames(join(settings.dataDir, backupsFolder)).catch(() => []);
  return [
    health === null
      ? lookAt(
          "backups",
          "BACKUP_EVERY is off.",
          `Set it, or run \`${commandLine("backup")}\` from a timer of the machine.`,
        )
      : await judgeNewest(health, settings),
    ...warnOfUnencrypted(findUnencrypted(names), "backups"),
    ...(await checkCopies(settings, health)),
  ];
}

async function judgeNewest(health: BackupHealth, settings: Settings): Promise<Finding> {
  const { ageSeconds, lastGoodAt, lackedSeconds, troubles, problem, verifiedAt } = health;
  const name = "backups";
  if (!existsSync(settings.dataDir)) return notChecked(name, "There is no data yet.", "The first start creates it.");
  if (problem !== null) return fix(name, ...splitMessage(problem));
  const makeOne = `run \`${commandLine("backup")}\`.`;
  const newest = ageSeconds === null ? "There is none" : `The newest is of ${lastGoodAt}`;
  if (troubles.includes("backup-failed"))
    return fix(name, `The last attempt failed. ${newest}.`, `Look for backups.failed in the log, or ${makeOne}`);
  if (troubles.includes("backup-late")) {
    const since = ageSeconds === null ? " although the site is older than" : ", older than twice";
    return fix(name, `${newest}${since} BACKUP_EVERY.`, `Start the server, or ${makeOne}`);
  }
  if (ageSeconds === null) {
    const remedy = `A server makes the first one a minute after its start; or ${makeOne}`;
    const isNew = (lackedSeconds ?? 0) * 1000 < hourMs;
    return (isNew ? notChecked : lookAt)(name, `${newest}.`, remedy);
  }
  const { newest: file, madeBytes } = await readBackupStatus(settings.dataDir, Date.now());
  const path = join(resolve(settings.dataDir), backupsFolder, file?.name ?? "");
  const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (madeBytes !== null && bytes !== madeBytes) {
    const text = `${path} has ${bytes} bytes, and had ${madeBytes} when it was made, so it is damaged.`;
    return fix(name, text, `Check the disk, and ${makeOne}`);
  }
  const unknown = ` Its size is not on record; \`${commandLine(`verify-backup ${path}`)}\` checks it.`;
  if (troubles.includes("backup-unverified")) {
    const command = commandLine(settings.backupCopies ? "verify-backup <s3://…> --start" : "verify-backup --start");
    return lookAt(name, `${newest}. None of the last 90 days was verified.`, `Run \`${command}\`.`);
  }
  const verified = verifiedAt === null ? "" : ` One was verified on ${verifiedAt.slice(0, 10)}.`;
  return ok(
    name,
    `${newest}.${verified}${madeBytes === null ? unknown : ""}${settings.backupCopies ? "" : " All are on the disk of the data: see BACKUP_TO."}`,
  );
}

/** Reads the age of the newest copy from the bucket itself. */
async function checkCopies({ backupCopies, backupEveryMs }: Settings, health: BackupHealth | null): Promise<Finding[]> {
  if (backupCopies === null) return [];
  const name = "copies of backups";
  const remedy = `Run \`${commandLine("backup")}\`, which copies what is missing.`;
  try {
    const names = await new Bucket(backupCopies).list();
    const copies = names.filter((each) => each.endsWith(encryptedSuffix)).flatMap((each) => findDate(each) ?? []);
    const unencrypted = warnOfUnencrypted(findUnencrypted(names), name);
    const newestAt = copies.at(-1)?.at;
    if (newestAt === undefined) return [lookAt(name, "There is none at BACKUP_TO.", remedy), ...unencrypted];
    const text = `The newest is of ${new Date(newestAt).toISOString()}`;
    if (health?.troubles.includes("copy-failed"))
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
