import { mkdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { findBackupBucket, type BackupVariables, parseBucketAddress } from "../../../app/lib/backup-settings.ts";
import { erasureListName } from "./erasure-list.ts";
import { encryptedSuffix, findDate } from "./expired-backups.ts";
import { type FindKey, readPlain } from "./encryption.ts";
import { requireEncrypted, requirePast } from "./origin.ts";
import { OperationRefused } from "../operations/operation-refused.ts";
import { Bucket } from "./bucket.ts";
import { copiedErasureList } from "./copy-backups.ts";

/** Returns true if an argument is an address in a bucket. */
export function isBucketAddress(word: string): boolean {
  return word.startsWith("s3://");
}

/** A backup fetched from a bucket. */
export interface FetchedBackup {
  file: string;
  /** names of unencrypted backups beside it, which this site does not put there */
  unencrypted: string[];
}

/**
 * Downloads a backup from a bucket into a folder, still encrypted, and decrypts the list of erasures beside it. Accepts
 * only encrypted files, because this site puts no others into a bucket, and none dated in the future.
 * @param address `s3://bucket/folder/backup-….tar.gz.age`, or the folder: then its newest backup
 * @param folder created if absent
 * @throws OperationRefused when there is no such backup, or the service rejects a call or cannot be reached
 */
export async function fetchBackup(
  address: string,
  folder: string,
  variables: BackupVariables,
  find: FindKey | undefined,
): Promise<FetchedBackup> {
  const wanted = findDate(basename(address)) ? basename(address) : null;
  const place = findBackupBucket(variables, wanted === null ? address : address.slice(0, -wanted.length - 1));
  if (parseBucketAddress(address) === null)
    throw new OperationRefused(`${address} is not an address like s3://bucket/folder.`);
  if (place === null)
    throw new OperationRefused(
      "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. For a service other than Amazon's, also set AWS_ENDPOINT_URL.",
    );
  const bucket = new Bucket(place);
  const names = await bucket.list();
  const backups = names.filter(findDate);
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
    await writeFile(join(folder, erasureListName), readPlain(list, find), { mode: 0o600 });
  }
  return { file, unencrypted };
}

function isEncryptedName(name: string): boolean {
  return name.endsWith(encryptedSuffix);
}

function noBackup(address: string, unencrypted: readonly string[]): OperationRefused {
  const others = unencrypted.length === 0 ? "" : `, only unencrypted ones: ${unencrypted.join(", ")}`;
  return new OperationRefused(`There is no backup at ${address}${others}.`);
}
