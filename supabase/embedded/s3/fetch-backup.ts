import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { findCopyPlace, type BackupVariables, parseBucketAddress } from "../../../app/lib/backup-settings.ts";
import { erasureListName } from "../folder/erasure-list.ts";
import { encryptedSuffix, findDate, isBackupName } from "../folder/expired-backups.ts";
import { type FindKey, withPlainFile } from "../operations/backups/encryption.ts";
import { requireEncrypted, requirePast } from "../operations/backups/origin.ts";
import { OperationRefused } from "../operations/operation-refused.ts";
import { Bucket, BucketFailed } from "./bucket.ts";
import { copiedErasureList } from "./copy-backups.ts";

/** Whether a word of the command line is an address in a bucket. */
export function isBucketAddress(word: string): boolean {
  return word.startsWith("s3://");
}

/** A backup that was fetched. */
export interface Fetched {
  file: string;
  /** names of backups in plain that lie beside it: this site puts none there */
  unencrypted: string[];
}

/**
 * Brings a backup from a bucket into a folder, still encrypted, and the list of erasures beside it in plain. It takes only encrypted
 * files, because this site puts no others into a bucket, and none with a date in the future.
 * @param address `s3://bucket/folder/backup-….tar.gz.age`, or of the folder: then its newest
 * @param folder made if absent
 * @throws OperationRefused when there is none, or the service refuses or cannot be reached
 */
export async function fetchBackup(
  address: string,
  folder: string,
  variables: BackupVariables,
  find: FindKey,
): Promise<Fetched> {
  const wanted = isBackupName(basename(address)) ? basename(address) : null;
  const place = findCopyPlace(variables, wanted === null ? address : address.slice(0, -wanted.length - 1));
  if (parseBucketAddress(address) === null)
    throw new OperationRefused(`${address} is no address like s3://bucket/folder.`);
  if (place === null)
    throw new OperationRefused(
      "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and where it is not Amazon AWS_ENDPOINT_URL.",
    );
  const bucket = new Bucket(place);
  try {
    const names = await bucket.list();
    const backups = names.filter(isBackupName);
    const name = wanted ?? backups.findLast(isEncryptedName);
    const unencrypted = backups.filter((each) => !isEncryptedName(each));
    if (name === undefined || !names.includes(name)) throw noBackup(address, unencrypted);
    if (!isEncryptedName(name))
      throw new OperationRefused(`${name} is not encrypted: this site puts only encrypted backups into a bucket.`);
    requirePast(name, new Date(findDate(name)?.at ?? NaN).toISOString());
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, name);
    await bucket.get(name, file);
    await requireEncrypted(file, { refusesPlain: true });
    if (names.includes(copiedErasureList)) {
      const list = join(folder, copiedErasureList);
      await bucket.get(copiedErasureList, list);
      await requireEncrypted(list, { refusesPlain: true });
      const plain = await withPlainFile(list, folder, find, (path) => readFile(path));
      await writeFile(join(folder, erasureListName), plain, { mode: 0o600 });
    }
    return { file, unencrypted };
  } catch (error) {
    if (error instanceof BucketFailed) throw new OperationRefused(error.message);
    throw error;
  }
}

function isEncryptedName(name: string): boolean {
  return name.endsWith(encryptedSuffix);
}

function noBackup(address: string, unencrypted: readonly string[]): OperationRefused {
  const others = unencrypted.length === 0 ? "" : `, only what is not encrypted: ${unencrypted.join(", ")}`;
  return new OperationRefused(`There is no backup at ${address}${others}.`);
}
