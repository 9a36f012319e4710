import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { backupsFolder } from "../folder/data-folder.ts";
import type { BackupBucket, BackupKeys } from "../../../app/lib/backup-settings.ts";
import { erasureListName, formatErasureList, readErasureList } from "./erasure-list.ts";
import { encryptedSuffix, findDate, listBackups, pickExpired } from "./expired-backups.ts";
import { encryptStream } from "./encryption.ts";
import { Bucket } from "./bucket.ts";

/** Name of the list of erasures in a bucket, encrypted for the operator's key. A restore needs it. */
export const copiedErasureList = `${erasureListName}${encryptedSuffix}`;

/** Result of copying. */
interface CopyResult {
  /** the newest backup in the bucket; null when there is none */
  newest: string | null;
  /** names, oldest first */
  deleted: string[];
  /** unencrypted backups in the bucket, which this site does not put there */
  unencrypted: string[];
}

/**
 * Updates a bucket from the backups of a data folder. Uploads the list of erasures, then every encrypted backup that is
 * missing there, the newest first. Then deletes backups older than the given days, except the newest. One failed file
 * does not stop the others. Keeps no record: the next call completes a killed one.
 * @throws BucketFailed when the service rejects a call or cannot be reached: the first failure, after all files were
 *   tried
 */
export async function copyBackups(
  dataDir: string,
  settings: BackupBucket,
  { keys, keepDays }: { keys: BackupKeys; keepDays: number },
): Promise<CopyResult> {
  const folder = join(dataDir, backupsFolder);
  const bucket = new Bucket(settings);
  const there = new Set(await bucket.list());
  const list = await readErasureList(folder).catch(() => null);
  if (list) {
    const signed = Readable.from([Buffer.from(formatErasureList(list, keys.signingKey))]);
    await bucket.put(copiedErasureList, await buffer(await encryptStream(signed, [keys.recipient])));
  }
  const failures: unknown[] = [];
  const attempt = async (work: Promise<void>) =>
    work.then(
      () => true,
      (error: unknown) => failures.push(error) < 1,
    );
  const own = (await listBackups(folder)).map(({ name }) => name).filter((name) => name.endsWith(encryptedSuffix));
  const expired = new Set(pickExpired(own, keepDays).expired);
  for (const name of own.toReversed()) {
    if (there.has(name) || expired.has(name)) continue;
    if (await attempt(bucket.put(name, join(folder, name)))) there.add(name);
  }
  const deleted: string[] = [];
  // An unencrypted backup is not ours and must not count as the newest, which is never deleted.
  const ours = [...there].filter((name) => name.endsWith(encryptedSuffix));
  for (const name of pickExpired(ours, keepDays).expired) if (await attempt(bucket.delete(name))) deleted.push(name);
  const unencrypted = [...there].filter((name) => findDate(name) !== null && !name.endsWith(encryptedSuffix));
  if (failures.length > 0) throw failures[0];
  return { newest: own.findLast((name) => there.has(name)) ?? null, deleted, unencrypted };
}
