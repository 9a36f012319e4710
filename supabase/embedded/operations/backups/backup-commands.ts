import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { backupDays } from "../../../../app/lib/backup-days.ts";
import {
  type BackupVariables,
  backupVariables,
  findCopyPlace,
  listBackupContradictions,
} from "../../../../app/lib/backup-settings.ts";
import { erasureListName } from "../../folder/erasure-list.ts";
import { BucketFailed } from "../../s3/bucket.ts";
import { copyBackups } from "../../s3/copy-backups.ts";
import { fetchBackup, isBucketAddress } from "../../s3/fetch-backup.ts";
import { makeBackup } from "./backup.ts";
import { dataDirOf, describeErasures, type OperationSettings, readWords, refuseUsage } from "../command-words.ts";
import { type FindIdentity, makeKey, recipientOf } from "./encryption.ts";
import type { Manifest } from "./manifest.ts";
import { OperationRefused } from "../operation-refused.ts";
import { readIdentity } from "../read-password.ts";
import { restoreBackup } from "./restore.ts";
import { verifyBackup } from "./verify.ts";

/** `backup`: makes one, and copies it to where BACKUP_TO says unless a place was named. */
export async function backUp(words: string[], settings: OperationSettings): Promise<string> {
  const [place] = readWords(words, "npm run backup [-- <file or folder>]").files;
  const keepDays = readKeepDays(settings);
  const variables = readVariables(settings);
  const recipient = variables.BACKUP_RECIPIENT;
  const dataDir = dataDirOf(settings);
  const startedAt = performance.now();
  const { file, bytes, manifest, expired } = await makeBackup(dataDir, place, { keepDays, recipient });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const lines = [`${file}: ${describe(manifest)}, ${(bytes / 1e6).toFixed(1)} MB, verified, in ${seconds} s.`];
  if (recipient === undefined)
    lines.push("It is not encrypted: `npm run backup-key` makes a key, BACKUP_RECIPIENT names it.");
  const bucket = place === undefined ? findCopyPlace(variables) : null;
  if (bucket !== null && recipient !== undefined) {
    const { deleted } = await copyBackups(dataDir, bucket, { recipient, keepDays }).catch(refuseFailure);
    lines.push(`Copied to ${variables.BACKUP_TO}.`);
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

/** `backup-key`: makes a key and shows it, once; with `check`, says whether a key is that of BACKUP_RECIPIENT. */
export async function makeOrCheckKey(words: string[], settings: OperationSettings): Promise<string> {
  if (words.length === 0) {
    const { identity, recipient } = await makeKey();
    return [
      "The secret half opens the backups. It is shown only now and kept nowhere: keep it where the server is not.",
      `  ${identity}`,
      "The public half encrypts them. Set it for the server:",
      `  BACKUP_RECIPIENT=${recipient}`,
      "`npm run backup-key -- check` says later whether the half that you kept is the right one.",
    ].join("\n");
  }
  if (words.join(" ") !== "check") refuseUsage("npm run backup-key [-- check]");
  const expected = readVariables(settings).BACKUP_RECIPIENT;
  if (expected === undefined) throw new OperationRefused("BACKUP_RECIPIENT is not set: backups are not encrypted.");
  const found = await recipientOf(await readIdentity());
  if (found !== expected)
    throw new OperationRefused(
      `The key is the wrong one: it is that of ${found}, and BACKUP_RECIPIENT is ${expected}.`,
    );
  return "The key is the right one: it opens what is encrypted for BACKUP_RECIPIENT.";
}

/** `verify-backup` */
export async function verify(words: string[], settings: OperationSettings): Promise<string> {
  const usage = "npm run verify-backup -- <file or s3://…>";
  const word = readWords(words, usage).files[0] ?? refuseUsage(usage);
  return withBackupFile(word, settings, async (file, findIdentity) => {
    const manifest = await verifyBackup(file, { findIdentity });
    return `${isBucketAddress(word) ? `${word}: ${basename(file)}` : file} is intact: ${describe(manifest)}.`;
  });
}

/** `restore` */
export async function restore(words: string[], settings: OperationSettings): Promise<string> {
  const usage = "npm run restore -- <file or s3://…> [--replace] [--without-erasures]";
  const { files, options } = readWords(words, usage);
  const word = files[0] ?? refuseUsage(usage);
  const dataDir = dataDirOf(settings);
  const { manifest, replaced, erasures } = await withBackupFile(word, settings, (file, findIdentity) =>
    restoreBackup(file, dataDir, {
      replace: options.has("--replace"),
      withoutErasures: options.has("--without-erasures"),
      findIdentity,
    }),
  );
  const lines = [`${dataDir} is restored: ${describe(manifest)}.`, describeErasures(erasures)];
  if (replaced)
    lines.push(`What was there is kept in ${replaced}. It is deleted like a backup, after BACKUP_KEEP_DAYS.`);
  return lines.join("\n");
}

/** Lets `use` have the file that was named, fetched into a temporary folder where it is in a bucket; a key is asked for once. */
async function withBackupFile<T>(
  word: string,
  settings: OperationSettings,
  use: (file: string, findIdentity: FindIdentity) => Promise<T>,
): Promise<T> {
  let identity: Promise<string> | undefined;
  const findIdentity = () => (identity ??= readIdentity());
  if (!isBucketAddress(word)) return use(word, findIdentity);
  const folder = await mkdtemp(join(tmpdir(), "fetched-backup-"));
  try {
    return await use(await fetchBackup(word, folder, readVariables(settings), findIdentity), findIdentity);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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

function readVariables(settings: OperationSettings): BackupVariables {
  const given = Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : [])),
  );
  const parsed = backupVariables.safeParse(given);
  const mistakes = [
    ...(parsed.error?.issues ?? []).map(({ path, message }) => `${path.join(".")} ${message}`),
    ...listBackupContradictions(given),
  ];
  if (!parsed.success || mistakes.length > 0) throw new OperationRefused(mistakes.join("\n"));
  return parsed.data;
}

function refuseFailure(error: unknown): never {
  if (error instanceof BucketFailed)
    throw new OperationRefused(`The backup is made, and was not copied: ${error.message}`);
  throw error;
}

function describe({ madeAt, productVersion, migrations, tables, files }: Manifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const parts = [
    `made ${madeAt} by version ${productVersion}`,
    `${migrations.length} migrations`,
    `${rows} rows in ${tables.length} tables`,
    `${files.length} files`,
  ];
  return parts.join(", ");
}
