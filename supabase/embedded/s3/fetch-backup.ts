import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { findCopyPlace, type BackupVariables, parseBucketAddress } from "../../../app/lib/backup-settings.ts";
import { erasureListName } from "../folder/erasure-list.ts";
import { isBackupName } from "../folder/expired-backups.ts";
import { type FindIdentity, withPlainFile } from "../operations/backups/encryption.ts";
import { OperationRefused } from "../operations/operation-refused.ts";
import { Bucket, BucketFailed } from "./bucket.ts";
import { copiedErasureList } from "./copy-backups.ts";

/** Whether a word of the command line is an address in a bucket. */
export function isBucketAddress(word: string): boolean {
  return word.startsWith("s3://");
}

/**
 * Brings a backup from a bucket into a folder, and the list of erasures beside it in plain.
 * @param address `s3://bucket/folder/backup-….tar.gz.age`, or of the folder: then its newest
 * @param folder made if absent
 * @returns the path of the backup, as encrypted as it was
 * @throws OperationRefused when there is none, or the service refuses or cannot be reached
 */
export async function fetchBackup(
  address: string,
  folder: string,
  variables: BackupVariables,
  find: FindIdentity,
): Promise<string> {
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
    const name = wanted ?? names.findLast(isBackupName);
    if (name === undefined || !names.includes(name)) throw new OperationRefused(`There is no backup at ${address}.`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await bucket.get(name, join(folder, name));
    if (names.includes(copiedErasureList)) {
      const list = join(folder, copiedErasureList);
      await bucket.get(copiedErasureList, list);
      const plain = await withPlainFile(list, folder, find, (path) => readFile(path));
      await writeFile(join(folder, erasureListName), plain, { mode: 0o600 });
    }
    return join(folder, name);
  } catch (error) {
    if (error instanceof BucketFailed) throw new OperationRefused(error.message);
    throw error;
  }
}
