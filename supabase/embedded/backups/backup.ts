import { existsSync } from "node:fs";
import { access, constants, mkdir, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { siteVersion } from "../../../app/lib/site-version.ts";
import { copyTree } from "../folder/copy-tree.ts";
import { type BackupKeys, backupDays } from "../../../app/lib/backup-settings.ts";
import { writeRecord } from "./backup-status.ts";
import { backupsFolder, isKept } from "../folder/data-folder.ts";
import { giveToOwner, isFolder } from "../folder/durable-files.ts";
import { addToErasureList, type Tombstone } from "./erasure-list.ts";
import { verifyingKeyOf } from "./signature.ts";
import { nameBackup, removeExpiredBackups, tidyBackups } from "./expired-backups.ts";
import { explainOtherSchema } from "./upgrade-backup.ts";
import { findBackupsProblem } from "../folder/usable-folder.ts";
import { packFolder } from "./archive.ts";
import { makeKey } from "./encryption.ts";
import { describeFiles, makeManifest, type Manifest, manifestName } from "./manifest.ts";
import { OperationRefused } from "../operations/operation-refused.ts";
import { isOfSite, readTombstones } from "./erase-again.ts";
import { digestDatabase, withDatabase } from "../operations/read-database.ts";
import { takeSnapshot } from "./take-snapshot.ts";
import { verifyBackup } from "./verify.ts";

/** Result of making a backup. */
export interface Backup {
  file: string;
  bytes: number;
  manifest: Manifest;
  /** paths of deleted backups and replaced content past their retention period */
  expired: string[];
  /** the database detected a clock jump, so no backup was deleted by age */
  isClockDoubted: boolean;
}

/** Retention and encryption of backups. */
export interface BackupOptions {
  /** maximum age in days */
  keepDays?: number;
  /** encrypts and signs the backup; without keys it is unencrypted */
  keys?: BackupKeys | null;
}

/**
 * Writes one archive of everything in a data folder that a backup holds, as of one moment, whether or not the server
 * runs. A running server pauses only while it copies the database; all other work happens in the calling process.
 * Verifies the archive before it gets its name, so every file named like a backup is intact. Writes the list of
 * erasures beside it. Then deletes expired backups in the data folder and in the named folder, unless the database
 * doubts the clock.
 *
 * With keys, signs and encrypts the backup. Verification then uses a second, temporary key: the operator's decryption
 * key need not be on this machine.
 * @param place a file or an existing folder; defaults to `backups/` in the data folder
 * @throws OperationRefused when there is nothing to back up, the file exists, or the server is starting or stopping
 */
export async function makeBackup(
  dataDir: string,
  place?: string,
  { keepDays = backupDays.unlessSet, keys = null }: BackupOptions = {},
): Promise<Backup> {
  const source = resolve(dataDir);
  if (!existsSync(join(source, "pg"))) throw new OperationRefused(`There is no database in ${source}.`);
  const madeAt = new Date().toISOString();
  const folder = place === undefined ? join(source, backupsFolder) : (await isFolder(place)) ? place : null;
  const target = resolve(folder === null ? (place ?? "") : join(folder, nameBackup(madeAt, keys !== null)));
  if (folder === null && place?.endsWith("/")) throw new OperationRefused(`There is no folder ${target}.`);
  // Fail early, before all the work. The link at the end detects a file created meanwhile.
  if (existsSync(target)) throw new OperationRefused(`${target} already exists. Name another file.`);
  const problem = dirname(target) === join(source, backupsFolder) ? await findBackupsProblem(source) : null;
  if (problem !== null) throw problem;
  const made = await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  if (made !== undefined) await giveToOwner(made);
  await access(dirname(target), constants.W_OK | constants.X_OK);
  const snapshot = await takeSnapshot(source);
  try {
    const content = join(snapshot.folder, "content");
    // Copied after the database, because mail files are written before the database marks their mail as delivered.
    // Drafts, which are about to be renamed or removed, are left out at every depth.
    await copyTree(source, content, (path) => isKept(basename(path)) && path !== join(source, "pg"));
    await copyTree(join(snapshot.folder, "pg"), join(content, "pg"), () => true);
    const files = await describeFiles(content);
    // Read from a second copy, because starting a database changes its files.
    const { digest, tombstones, isClockDoubted } = await withDatabase(
      join(snapshot.folder, "pg"),
      async (database) => ({
        digest: await digestDatabase(database),
        ...(await readSite(database).catch((error: unknown) => refuseOtherSchema(source, error))),
      }),
    );
    const signingKey = keys?.signingKey;
    const manifest = makeManifest({ productVersion: siteVersion, madeAt, ...digest, files }, signingKey);
    await writeFile(join(content, manifestName), `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600 });
    const isOwn = dirname(target) === join(source, backupsFolder);
    await addToErasureList(dirname(target), { tombstones, readAt: madeAt }, { signingKey, isOwn });
    const proof = keys && { ...(await makeKey()), verifyingKey: verifyingKeyOf(keys.signingKey) };
    const recipients = keys && proof ? [keys.recipient, proof.recipient] : [];
    await packFolder(content, target, recipients, async (draft) => {
      // Make room for the unpacked content. The system's temporary folder may be too small for it.
      for (const copied of [content, join(snapshot.folder, "pg")]) await rm(copied, { recursive: true });
      await verifyBackup(draft, { place: snapshot.folder, findKey: proof ? async () => proof : undefined });
    });
    const { size: bytes } = await stat(target);
    if (isOwn) await writeRecord(dirname(target), "last-backup.json", { name: basename(target), bytes });
    const days = isClockDoubted ? Infinity : keepDays;
    const expired = (await tidyBackups(source, days)).deleted;
    if (place !== undefined && folder !== null) expired.push(...(await removeExpiredBackups(folder, days)).deleted);
    return { file: target, bytes, manifest, expired, isClockDoubted };
  } finally {
    await snapshot.release();
  }
}

/** @throws MigrationFailed when a table or column of this version is missing, otherwise the error */
async function refuseOtherSchema(dataDir: string, error: unknown): Promise<never> {
  // undefined_column, undefined_table and undefined_function (PostgreSQL, Appendix A)
  if (!["42703", "42P01", "42883"].includes((error as { code?: string }).code ?? "")) throw error;
  throw await explainOtherSchema(dataDir);
}

/** Reads the erasures, and if the database suspects a clock jump. */
async function readSite(
  database: Pick<PGlite, "query">,
): Promise<{ tombstones: Tombstone[]; isClockDoubted: boolean }> {
  if (!(await isOfSite(database))) return { tombstones: [], isClockDoubted: false };
  const { rows } = await database.query("select 1 where private.retention_waits()");
  return { tombstones: await readTombstones(database), isClockDoubted: rows.length > 0 };
}
