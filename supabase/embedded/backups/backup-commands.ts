import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { backupDays, findBackupKeys, findBackupBucket } from "../../../app/lib/backup-settings.ts";
import { commandLine } from "../../../app/lib/command-line.ts";
import { backupsFolder } from "../folder/data-folder.ts";
import { erasureListName } from "./erasure-list.ts";
import { findUnencrypted } from "./expired-backups.ts";
import { makeSigningKey, verifyingKeyOf } from "./signature.ts";
import { BucketFailed } from "./bucket.ts";
import { copyBackups } from "./copy-backups.ts";
import { makeBackup } from "./backup.ts";
import { dataDirOf, type OperationSettings, readBackupVariables } from "../operations/command-words.ts";
import { explainUnwritable } from "../operations/file-failure.ts";
import { describeBackup, warnUnencrypted } from "./describe-backup.ts";
import { makeKey, recipientOf } from "./encryption.ts";
import { OperationRefused } from "../operations/operation-refused.ts";
import { readBackupKey } from "../operations/read-password.ts";

/** `backup`: makes a backup. Unless the command names a path, also copies it to BACKUP_TO. */
export async function backUp(words: string[], settings: OperationSettings): Promise<string> {
  const [place] = words;
  const keepDays = readKeepDays(settings);
  const variables = readBackupVariables(settings);
  const keys = findBackupKeys(variables);
  const dataDir = dataDirOf(settings);
  const startedAt = performance.now();
  const { file, bytes, manifest, expired, isClockDoubted } = await makeBackup(dataDir, place, { keepDays, keys }).catch(
    (error: unknown) => {
      if (place === undefined)
        throw explainUnwritable(error, join(dataDir, backupsFolder), "Give it to this user (chown).");
      const folder = existsSync(place) ? resolve(place) : dirname(resolve(place));
      throw explainUnwritable(error, folder, "Without a place the backup is in the data folder: copy it from there.");
    },
  );
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const lines = [`${file}: ${describeBackup(manifest)}, ${(bytes / 1e6).toFixed(1)} MB, verified, in ${seconds} s.`];
  lines.push(`Data folder: ${dataDir}`);
  if (keys === null) lines.push(`It is not encrypted. \`${commandLine("backup-key")}\` makes the keys for encryption.`);
  lines.push(...warnUnencrypted(findUnencrypted(await readdir(dirname(file)))));
  const bucket = place === undefined ? findBackupBucket(variables) : null;
  if (bucket !== null && keys !== null) {
    const options = { keys, keepDays: isClockDoubted ? Infinity : keepDays };
    const { deleted, unencrypted } = await copyBackups(dataDir, bucket, options).catch(refuseFailure);
    lines.push(`Copied to ${variables.BACKUP_TO}.`, ...warnUnencrypted(unencrypted));
    expired.push(...deleted.map((name) => `${variables.BACKUP_TO}: ${name}`));
  } else if (place === undefined) {
    lines.push(`It is on the same disk as the data. Keep a copy elsewhere, together with ${erasureListName}.`);
  }
  if (expired.length > 0)
    lines.push(
      `Deleted because they were older than ${keepDays} days (BACKUP_KEEP_DAYS):`,
      ...expired.map((path) => `- ${path}`),
    );
  return lines.join("\n");
}

/** `backup-key`: makes the keys and prints them once. With `check`, tests whether a key matches the settings. */
export async function makeOrCheckKey(words: string[], settings: OperationSettings): Promise<string> {
  if (words.length === 0) {
    const { identity, recipient } = await makeKey();
    const { signingKey, verifyingKey } = makeSigningKey();
    return [
      "Keep these two lines in one file, away from the server: they decrypt the backups and prove that the server made them. They",
      "are shown only now and stored nowhere.",
      `  # ${verifyingKey}`,
      `  ${identity}`,
      "Set these two for the server. They encrypt the backups and sign them:",
      `  BACKUP_RECIPIENT=${recipient}`,
      `  BACKUP_SIGNING_KEY=${signingKey}`,
      `To check later that you kept the right file: ${commandLine("backup-key check")} < <file>`,
    ].join("\n");
  }
  const keys = findBackupKeys(readBackupVariables(settings));
  if (keys === null) throw new OperationRefused("BACKUP_RECIPIENT is not set: backups are not encrypted.");
  const { identity, verifyingKey } = await readBackupKey();
  const found = await recipientOf(identity);
  if (found !== keys.recipient)
    throw new OperationRefused(
      `This is the wrong key: it belongs to ${found}, but BACKUP_RECIPIENT is ${keys.recipient}.`,
    );
  if (verifyingKey !== verifyingKeyOf(keys.signingKey))
    throw new OperationRefused(
      `The key decrypts the backups but does not verify them. Its second line must be # ${verifyingKeyOf(keys.signingKey)}`,
    );
  return "This is the right key: it decrypts files encrypted for BACKUP_RECIPIENT and verifies signatures of BACKUP_SIGNING_KEY.";
}

/** Applies the server's rule (settings.server.ts): a command must not start without it. */
function readKeepDays({ BACKUP_KEEP_DAYS }: OperationSettings): number {
  const { unlessSet, fewest, most } = backupDays;
  const text = BACKUP_KEEP_DAYS?.trim() || String(unlessSet);
  const days = /^\d+$/.test(text) ? Number(text) : 0;
  if (days < fewest || days > most)
    throw new OperationRefused(`BACKUP_KEEP_DAYS must be a whole number from ${fewest} to ${most}.`);
  return days;
}

function refuseFailure(error: unknown): never {
  if (error instanceof BucketFailed) throw new OperationRefused(`The backup was made but not copied: ${error.message}`);
  throw error;
}
