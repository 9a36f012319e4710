import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { writeVerified } from "./backup-status.ts";
import { backupsFolder } from "../folder/data-folder.ts";
import { findNewestBackup, findUnencrypted } from "./expired-backups.ts";
import { type FetchedBackup, fetchBackup, isBucketAddress } from "./fetch-backup.ts";
import {
  dataDirOf,
  describeErasures,
  type OperationSettings,
  readBackupVariables,
  splitWords,
} from "../operations/command-words.ts";
import { describeBackup, warnUnencrypted, unprovenOrigin } from "./describe-backup.ts";
import { isEncrypted, type OpeningKey } from "./encryption.ts";
import { requireReadable } from "../operations/file-failure.ts";
import { OperationRefused } from "../operations/operation-refused.ts";
import type { Reading } from "./origin.ts";
import { askYes, readBackupKey } from "../operations/read-password.ts";
import { restoreBackup, type RestorePreview } from "./restore.ts";
import { tryStart } from "./try-start.ts";
import { verifyBackup } from "./verify.ts";

/** `verify-backup` */
export async function verify(words: string[], settings: OperationSettings): Promise<string> {
  const { files, options } = splitWords(words);
  const word = files[0] ?? (await findOwnNewest(settings));
  const reading = readingOf(settings, options);
  return withBackupFile(word, settings, reading, async ({ file, unencrypted }) => {
    let started = "";
    const inspect = async (folder: string) => void (started = ` It ${await tryStart(folder, file)}.`);
    const manifest = await verifyBackup(file, { ...reading, ...(options.has("--start") ? { inspect } : {}) });
    const notes = await noteVerified(settings, isBucketAddress(word) ? "copy" : "backup", manifest.madeAt);
    const name = isBucketAddress(word) ? `${word}: ${basename(file)}` : file;
    const isProved = !reading.withoutSignature && (await isEncrypted(file));
    const lines = [`${name} is intact: ${describeBackup(manifest)}.${started}`, ...(isProved ? [] : [unprovenOrigin])];
    return [...lines, ...notes, ...warnUnencrypted(unencrypted)].join("\n");
  });
}

/** Finds the newest backup of the data folder. */
async function findOwnNewest(settings: OperationSettings): Promise<string> {
  const folder = resolve(dataDirOf(settings), backupsFolder);
  const newest = await findNewestBackup(folder, Date.now());
  if (newest === null) throw new OperationRefused(`There is no backup in ${folder}: name a file, or s3://… .`);
  return join(folder, newest.name);
}

/**
 * Tells the server of this data folder, if there is one, that a backup is good: it reminds of that every 90 days.
 * @returns lines for the operator
 */
async function noteVerified(settings: OperationSettings, place: "backup" | "copy", madeAt: string): Promise<string[]> {
  if (!settings.DATA_DIR?.trim() && settings.NODE_ENV === "production") return [];
  try {
    const dataDir = dataDirOf(settings);
    if (existsSync(join(dataDir, backupsFolder))) await writeVerified(dataDir, place, madeAt, new Date().toISOString());
    return [];
  } catch (error) {
    const { message } = error as Error;
    return [`The site will still remind you to verify a backup: ${message}`];
  }
}

/** `restore` */
export async function restore(words: string[], settings: OperationSettings): Promise<string> {
  const { files, options } = splitWords(words);
  const [word = ""] = files;
  const dataDir = dataDirOf(settings);
  const reading = readingOf(settings, options);
  const signingKey = settings.BACKUP_SIGNING_KEY ? readBackupVariables(settings).BACKUP_SIGNING_KEY : undefined;
  return withBackupFile(word, settings, reading, async ({ file, unencrypted }) => {
    const restored = await restoreBackup(file, dataDir, {
      ...reading,
      replace: options.has("--replace"),
      withoutErasures: options.has("--without-erasures"),
      signingKey,
      confirm: (preview) => confirmRestore(basename(file), preview, options.has("--yes")),
    });
    const lines = [
      `${dataDir} is restored: ${describeBackup(restored.manifest)}.`,
      describeErasures(restored.erasures),
    ];
    if (restored.replaced)
      lines.push(
        `The previous content is kept in ${restored.replaced}. Like a backup, it is deleted after BACKUP_KEEP_DAYS.`,
      );
    return [...lines, describeAdmins(restored), ...warnUnencrypted(unencrypted)].join("\n");
  });
}

/**
 * Returns the reading options. With BACKUP_RECIPIENT set, this site's backups are encrypted, and unencrypted ones are
 * rejected.
 */
export function readingOf({ BACKUP_RECIPIENT }: OperationSettings, options: ReadonlySet<string>): Reading {
  let key: Promise<OpeningKey> | undefined;
  return {
    // Prompts once, for all encrypted files.
    findKey: () => (key ??= readBackupKey()),
    refusesPlain: Boolean(BACKUP_RECIPIENT?.trim()),
    withoutSignature: options.has("--without-signature"),
  };
}

/** Shows what would be restored, and asks for confirmation. */
async function confirmRestore(name: string, preview: RestorePreview, isAgreed: boolean): Promise<void> {
  if (isAgreed) return;
  const lines = [`${name}: ${describeBackup(preview.manifest)}.`, describeAdmins(preview)];
  if (!preview.isProved) lines.push(unprovenOrigin);
  const answer = await askYes([...lines, "Restore it?"].join("\n"));
  // An unencrypted backup needs no key, and so no --yes when there is no terminal.
  if (answer === true || (answer === null && !preview.isEncrypted)) return;
  if (answer === false) throw new OperationRefused("Nothing was changed.");
  throw new OperationRefused([...lines, "Nothing was changed. If this is the right backup, add --yes."].join("\n"));
}

function describeAdmins({ admins }: Pick<RestorePreview, "admins">): string {
  return `Its admins: ${admins.join(", ") || "none has signed in yet; ADMIN_EMAIL becomes one then"}.`;
}

/** Passes the named file to `use`. Fetches it into a temporary folder if it is in a bucket. */
async function withBackupFile<T>(
  word: string,
  settings: OperationSettings,
  { findKey }: Reading,
  use: (fetched: FetchedBackup) => Promise<T>,
): Promise<T> {
  if (!isBucketAddress(word)) {
    await requireReadable(word);
    const names = await readdir(dirname(word)).catch(() => []);
    return use({ file: word, unencrypted: findUnencrypted(names) });
  }
  const folder = await mkdtemp(join(tmpdir(), "fetched-backup-"));
  try {
    return await use(await fetchBackup(word, folder, readBackupVariables(settings), findKey));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
