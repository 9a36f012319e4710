import { readdir } from "node:fs/promises";
import { dirname } from "node:path";
import { backupDays, findBackupKeys, findCopyPlace } from "../../../../app/lib/backup-settings.ts";
import { erasureListName } from "../../folder/erasure-list.ts";
import { findUnencrypted } from "../../folder/expired-backups.ts";
import { makeSigningKey, verifyingKeyOf } from "../../folder/signature.ts";
import { BucketFailed } from "../../s3/bucket.ts";
import { copyBackups } from "../../s3/copy-backups.ts";
import { makeBackup } from "./backup.ts";
import { dataDirOf, type OperationSettings, readBackupVariables, readWords, refuseUsage } from "../command-words.ts";
import { describeBackup, tellUnencrypted } from "./describe-backup.ts";
import { makeKey, recipientOf } from "./encryption.ts";
import { OperationRefused } from "../operation-refused.ts";
import { readBackupKey } from "../read-password.ts";

/** `backup`: makes one, and copies it to where BACKUP_TO says unless a place was named. */
export async function backUp(words: string[], settings: OperationSettings): Promise<string> {
  const [place] = readWords(words, "npm run backup [-- <file or folder>]").files;
  const keepDays = readKeepDays(settings);
  const variables = readBackupVariables(settings);
  const keys = findBackupKeys(variables);
  const dataDir = dataDirOf(settings);
  const startedAt = performance.now();
  const { file, bytes, manifest, expired, isClockDoubted } = await makeBackup(dataDir, place, { keepDays, keys });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const lines = [`${file}: ${describeBackup(manifest)}, ${(bytes / 1e6).toFixed(1)} MB, verified, in ${seconds} s.`];
  if (keys === null) lines.push("It is not encrypted: `npm run backup-key` makes the keys that do it.");
  lines.push(...tellUnencrypted(findUnencrypted(await readdir(dirname(file)))));
  const bucket = place === undefined ? findCopyPlace(variables) : null;
  if (bucket !== null && keys !== null) {
    const options = { keys, keepDays: isClockDoubted ? Infinity : keepDays };
    const { deleted, unencrypted } = await copyBackups(dataDir, bucket, options).catch(refuseFailure);
    lines.push(`Copied to ${variables.BACKUP_TO}.`, ...tellUnencrypted(unencrypted));
    expired.push(...deleted.map((name) => `${variables.BACKUP_TO}: ${name}`));
  } else if (place === undefined) {
    lines.push(`It is on the same disk as the data: keep a copy elsewhere, with ${erasureListName} beside it.`);
  }
  if (expired.length > 0)
    lines.push(
      `Deleted, because older than ${keepDays} days (BACKUP_KEEP_DAYS):`,
      ...expired.map((path) => `- ${path}`),
    );
  return lines.join("\n");
}

/** `backup-key`: makes the keys and shows them, once; with `check`, says whether a key is that of the settings. */
export async function makeOrCheckKey(words: string[], settings: OperationSettings): Promise<string> {
  if (words.length === 0) {
    const { identity, recipient } = await makeKey();
    const { signingKey, verifyingKey } = makeSigningKey();
    return [
      "Keep these two lines in one file, away from the server: they open the backups and prove that the server made them. They are",
      "shown only now and stored nowhere.",
      `  # ${verifyingKey}`,
      `  ${identity}`,
      "Set these two for the server. They encrypt the backups and sign them:",
      `  BACKUP_RECIPIENT=${recipient}`,
      `  BACKUP_SIGNING_KEY=${signingKey}`,
      "`npm run backup-key -- check < <file>` says later whether the file that you kept is the right one.",
    ].join("\n");
  }
  if (words.join(" ") !== "check") refuseUsage("npm run backup-key [-- check]");
  const keys = findBackupKeys(readBackupVariables(settings));
  if (keys === null) throw new OperationRefused("BACKUP_RECIPIENT is not set: backups are not encrypted.");
  const { identity, verifyingKey } = await readBackupKey();
  const found = await recipientOf(identity);
  if (found !== keys.recipient)
    throw new OperationRefused(
      `The key is the wrong one: it is that of ${found}, and BACKUP_RECIPIENT is ${keys.recipient}.`,
    );
  if (verifyingKey !== verifyingKeyOf(keys.signingKey))
    throw new OperationRefused(
      `The key opens the backups, and does not verify them: its second line must be # ${verifyingKeyOf(keys.signingKey)}`,
    );
  return "The key is the right one: it opens what is encrypted for BACKUP_RECIPIENT, and verifies what BACKUP_SIGNING_KEY signs.";
}

/** The same rule as the server's (settings.server.ts), which a command must not start without. */
function readKeepDays({ BACKUP_KEEP_DAYS }: OperationSettings): number {
  const { unlessSet, fewest, most } = backupDays;
  const text = BACKUP_KEEP_DAYS?.trim() || String(unlessSet);
  const days = /^\d+$/.test(text) ? Number(text) : 0;
  if (days < fewest || days > most)
    throw new OperationRefused(`BACKUP_KEEP_DAYS must be a whole number from ${fewest} to ${most}.`);
  return days;
}

function refuseFailure(error: unknown): never {
  if (error instanceof BucketFailed)
    throw new OperationRefused(`The backup is made, and was not copied: ${error.message}`);
  throw error;
}
