import { mkdir, mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readManifest, unpackArchive } from "./archive.ts";
import { isEncrypted } from "./encryption.ts";
import { describeFiles, type Manifest, manifestName, parseManifest } from "./manifest.ts";
import { makeContentCheck, type Reading, requireEncrypted, requireOrigin } from "./origin.ts";
import { databaseVersion, readVersion } from "../folder/usable-folder.ts";
import { OperationRefused } from "../operations/operation-refused.ts";
import { type DatabaseDigest, digestDatabase, withDatabase } from "../operations/read-database.ts";

/** Options for unpacking a backup; `place`: the parent of the temporary folder. */
type Unpacking = Reading & { place?: string };

/**
 * Unpacks a backup into a temporary folder, starts its database, and compares everything with the manifest.
 * @param options `inspect` gets the unpacked data folder at the end
 * @returns the manifest, if everything matches
 * @throws OperationRefused naming each difference, or because the key is wrong
 */
export async function verifyBackup(
  file: string,
  { inspect, ...options }: Unpacking & { inspect?(folder: string): Promise<void> } = {},
): Promise<Manifest> {
  return withUnpacked(file, options, async (folder, { manifest }) => {
    compareDatabase(file, manifest, await withDatabase(join(folder, "pg"), digestDatabase));
    await inspect?.(folder);
    return manifest;
  });
}

/** Passes an unpacked backup to `work`, and removes it after that. @throws what `unpackVerified` throws */
export async function withUnpacked<T>(
  file: string,
  { place = tmpdir(), ...reading }: Unpacking,
  work: (folder: string, unpacked: UnpackedBackup) => Promise<T>,
): Promise<T> {
  const own = await mkdtemp(join(place, "verify-backup-"));
  const folder = join(own, "content");
  try {
    await mkdir(folder, { mode: 0o700 });
    return await work(folder, await unpackVerified(file, folder, reading));
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/**
 * An unpacked backup. `isEncrypted` describes the file; `provedBy` is the key that proves its origin, or null if none
 * does.
 */
interface UnpackedBackup {
  manifest: Manifest;
  isEncrypted: boolean;
  provedBy: string | null;
}

/**
 * Unpacks a backup, compares every file with the manifest, and removes the manifest.
 * @param folder empty
 * @throws OperationRefused naming each difference, or because the key is wrong, the backup is not this site's, or
 *   its PostgreSQL is another
 */
export async function unpackVerified(file: string, folder: string, reading: Reading = {}): Promise<UnpackedBackup> {
  await requireEncrypted(file, reading);
  const { findKey } = reading;
  const manifest = parseManifest(await readManifest(file, findKey));
  if (!manifest) throw new OperationRefused(`${file} is not a backup of this product, or a later version made it.`);
  await requireSpace(folder, manifest);
  const isFileEncrypted = await isEncrypted(file);
  const provedBy = await requireOrigin(file, manifest, (isFileEncrypted && findKey) || null, reading);
  await unpackArchive(file, findKey, folder, () => makeContentCheck(file, manifest));
  await rm(join(folder, manifestName));
  const differences = compare(
    "file",
    manifest.files,
    await describeFiles(folder),
    ({ path }) => path,
    (expected, found) =>
      expected.bytes === found.bytes && expected.sha256 === found.sha256
        ? []
        : [`the file ${expected.path} was changed`],
  );
  refuse(file, differences);
  const version = readVersion(join(folder, "pg"));
  if (version !== null && version !== databaseVersion)
    throw new OperationRefused(
      `${file} holds a database of PostgreSQL ${version}, and this program opens only ${databaseVersion}: restore it with the program that made it, version ${manifest.productVersion}.`,
    );
  return { manifest, isEncrypted: isFileEncrypted, provedBy };
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
  return compare(
    "table",
    expected,
    found,
    ({ name }) => name,
    ({ name, rows, sha256 }, table) => {
      if (table.rows !== rows) return [`the table ${name} has ${table.rows} rows instead of ${rows}`];
      return table.sha256 === sha256 ? [] : [`rows of the table ${name} differ`];
    },
  );
}

/** Lists what is missing, what differs, and what was added. */
function compare<Part>(
  kind: string,
  expected: readonly Part[],
  found: readonly Part[],
  nameOf: (part: Part) => string,
  describe: (expected: Part, found: Part) => string[],
): string[] {
  const rest = new Map(found.map((part) => [nameOf(part), part]));
  const differences = expected.flatMap((part) => {
    const there = rest.get(nameOf(part));
    rest.delete(nameOf(part));
    return there ? describe(part, there) : [`the ${kind} ${nameOf(part)} is missing`];
  });
  return [...differences, ...[...rest.keys()].map((name) => `the ${kind} ${name} was added`)];
}

function refuse(file: string, differences: string[]): void {
  if (differences.length === 0) return;
  const shown = differences.slice(0, 20).map((line) => `- ${line}`);
  const more = differences.length > shown.length ? [`- and ${differences.length - shown.length} more`] : [];
  throw new OperationRefused([`${file} does not match its manifest:`, ...shown, ...more].join("\n"));
}
