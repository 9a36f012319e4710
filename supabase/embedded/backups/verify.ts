import { mkdir, mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readManifest, unpackArchive } from "./archive.ts";
import { withPlainFile } from "./encryption.ts";
import { describeFiles, type Manifest, manifestName, parseManifest } from "./manifest.ts";
import { makeContentCheck, type Reading, requireEncrypted, requireOrigin } from "./origin.ts";
import { databaseVersion, readVersion } from "../folder/usable-folder.ts";
import { OperationRefused } from "../operations/operation-refused.ts";
import { type DatabaseDigest, digestDatabase } from "../operations/read-database.ts";

/**
 * Unpacks a backup into a temporary folder, starts its database, and compares everything with the manifest.
 * @param reading `place`: the parent of the temporary folder; `inspect` gets the unpacked data folder at the end
 * @returns the manifest, if everything matches
 * @throws OperationRefused naming each difference, or because the key is wrong
 */
export async function verifyBackup(
  file: string,
  { place = tmpdir(), inspect, ...reading }: Reading & { place?: string; inspect?(folder: string): Promise<void> } = {},
): Promise<Manifest> {
  const own = await mkdtemp(join(place, "verify-backup-"));
  const folder = join(own, "content");
  await mkdir(folder, { mode: 0o700 });
  try {
    const { manifest } = await unpackVerified(file, folder, reading);
    compareDatabase(file, manifest, await digestDatabase(join(folder, "pg")));
    await inspect?.(folder);
    return manifest;
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/**
 * An unpacked backup. `isEncrypted` describes the file; `provedBy` is the key that proves its origin, or null if none
 * does.
 */
export interface UnpackedBackup {
  manifest: Manifest;
  isEncrypted: boolean;
  provedBy: string | null;
}

/**
 * Unpacks a backup, compares every file with the manifest, and removes the manifest.
 * @param folder empty; its parent holds the decrypted file meanwhile
 * @throws OperationRefused naming each difference, or because the key is wrong, the backup is not this site's, or
 *   its PostgreSQL is another
 */
export async function unpackVerified(file: string, folder: string, reading: Reading = {}): Promise<UnpackedBackup> {
  await requireEncrypted(file, reading);
  const { findKey } = reading;
  const unpacked = await withPlainFile(file, dirname(folder), findKey, async (plain, isEncrypted) => {
    const manifest = parseManifest(await readManifest(plain, file));
    if (!manifest) throw new OperationRefused(`${file} is not a backup of this product, or a later version made it.`);
    await requireSpace(folder, manifest);
    const provedBy = await requireOrigin(file, manifest, (isEncrypted && findKey) || null, reading);
    await unpackArchive(plain, folder, () => makeContentCheck(file, manifest), file);
    return { manifest, isEncrypted, provedBy };
  });
  await rm(join(folder, manifestName));
  const found = new Map((await describeFiles(folder)).map((entry) => [entry.path, entry]));
  const differences: string[] = [];
  for (const { path: name, bytes, sha256 } of unpacked.manifest.files) {
    const there = found.get(name);
    if (!there) differences.push(`the file ${name} is missing`);
    else if (there.bytes !== bytes || there.sha256 !== sha256) differences.push(`the file ${name} was changed`);
    found.delete(name);
  }
  for (const name of found.keys()) differences.push(`the file ${name} was added`);
  refuse(file, differences);
  const version = readVersion(join(folder, "pg"));
  if (version !== null && version !== databaseVersion)
    throw new OperationRefused(
      `${file} holds a database of PostgreSQL ${version}, and this program opens only ${databaseVersion}: restore it with the program that made it, version ${unpacked.manifest.productVersion}.`,
    );
  return unpacked;
}

function inMb(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`;
}

/** Room for the write-ahead log of a database that starts. */
const spareBytes = 64 * 1024 ** 2;

/** @throws OperationRefused when the unpacked files would fill the disk of a folder */
async function requireSpace(folder: string, { files }: Manifest): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const needed = files.reduce((sum, { bytes }) => sum + bytes, spareBytes);
  if (needed <= bavail * bsize) return;
  throw new OperationRefused(
    `This backup needs ${inMb(needed)} in ${dirname(dirname(folder))}, where ${inMb(bavail * bsize)} are free: free some space` +
      `${folder.startsWith(tmpdir()) ? ", or set TMPDIR to a folder on another disk" : ""}.`,
  );
}

/** @throws OperationRefused naming each difference */
export function compareDatabase(file: string, manifest: Manifest, database: DatabaseDigest): void {
  const differences = compareTables(manifest.tables, database.tables);
  if (manifest.migrations.join() !== database.migrations.join()) differences.unshift("the migrations differ");
  refuse(file, differences);
}

/** Returns one line per table that differs, none if both hold the same. */
export function compareTables(expected: DatabaseDigest["tables"], found: DatabaseDigest["tables"]): string[] {
  const rest = new Map(found.map((table) => [table.name, table]));
  const differences = expected.flatMap(({ name, rows, sha256 }) => {
    const table = rest.get(name);
    rest.delete(name);
    if (!table) return [`the table ${name} is missing`];
    if (table.rows !== rows) return [`the table ${name} has ${table.rows} rows instead of ${rows}`];
    return table.sha256 === sha256 ? [] : [`rows of the table ${name} differ`];
  });
  return [...differences, ...[...rest.keys()].map((name) => `the table ${name} was added`)];
}

function refuse(file: string, differences: string[]): void {
  if (differences.length === 0) return;
  const shown = differences.slice(0, 20).map((line) => `- ${line}`);
  const more = differences.length > shown.length ? [`- and ${differences.length - shown.length} more`] : [];
  throw new OperationRefused([`${file} does not match its manifest:`, ...shown, ...more].join("\n"));
}
