import { join } from "node:path";
import { backupsFolder } from "../folder/data-folder.ts";
import type { BackupKeys } from "../../../app/lib/backup-settings.ts";
import { erasureListName, formatErasureList, readErasureList } from "../folder/erasure-list.ts";
import { encryptedSuffix, isBackupName, listBackups, pickExpired } from "../folder/expired-backups.ts";
import { encryptBytes } from "../operations/backups/encryption.ts";
import { Bucket } from "./bucket.ts";
import type { BucketSettings } from "./sign-request.ts";

/** The list of who was erased, as it lies in a bucket: who has the key can read it, and restore needs it. */
export const copiedErasureList = `${erasureListName}${encryptedSuffix}`;

/** What came of copying. */
export interface Copied {
  /** the newest backup that is there now; null: none */
  newest: string | null;
  /** names, oldest first */
  deleted: string[];
  /** backups in plain that lie there: this site puts none there */
  unencrypted: string[];
}

/**
 * Brings a bucket up to date with the backups of a data folder: the list of erasures, then every encrypted backup that it
 * lacks, the newest first; then it deletes what is older than the given days there, but for the newest. One file that fails holds
 * up no other. It keeps no record, so that a call that was killed is made good by the next one.
 * @throws BucketFailed when the service refuses or cannot be reached: the first failure, once all has been tried
 */
export async function copyBackups(
  dataDir: string,
  settings: BucketSettings,
  { keys, keepDays }: { keys: BackupKeys; keepDays: number },
): Promise<Copied> {
  const folder = join(dataDir, backupsFolder);
  const bucket = new Bucket(settings);
  const there = new Set(await bucket.list());
  const list = await readErasureList(folder).catch(() => null);
  const signed = list && Buffer.from(formatErasureList(list, keys.signingKey));
  if (signed) await bucket.put(copiedErasureList, await encryptBytes(signed, keys.recipient));
  const failures: unknown[] = [];
  const attempt = async (work: Promise<void>) =>
    work.then(
      () => true,
      (error: unknown) => failures.push(error) < 1,
    );
  const own = (await listBackups(folder)).map(({ name }) => name).filter((name) => name.endsWith(encryptedSuffix));
  const expired = new Set(pickExpired(own, keepDays));
  for (const name of own.toReversed()) {
    if (there.has(name) || expired.has(name)) continue;
    if (await attempt(bucket.put(name, join(folder, name)))) there.add(name);
  }
  const deleted: string[] = [];
  // A backup in plain is not ours, and must not pass for the newest one, which is never deleted.
  const ours = [...there].filter((name) => name.endsWith(encryptedSuffix));
  for (const name of pickExpired(ours, keepDays)) if (await attempt(bucket.delete(name))) deleted.push(name);
  const unencrypted = [...there].filter((name) => isBackupName(name) && !name.endsWith(encryptedSuffix));
  if (failures.length > 0) throw failures[0];
  return { newest: own.findLast((name) => there.has(name)) ?? null, deleted, unencrypted };
}
