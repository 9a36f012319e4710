import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { unpackArchive } from "./archive.ts";
import { type FindIdentity, withPlainFile } from "./encryption.ts";
import { describeFiles, type Manifest, manifestName, parseManifest } from "./manifest.ts";
import { OperationRefused } from "../operation-refused.ts";
import { type DatabaseDigest, digestDatabase } from "../read-database.ts";

/**
 * Unpacks a backup in a temporary place, starts its database, and compares everything with its manifest.
 * @param options `place`: the folder in which that place is made; `findIdentity`: asks for the key of an encrypted one
 * @returns the manifest, when all of it is true
 * @throws OperationRefused naming each difference, or because the key is the wrong one
 */
export async function verifyBackup(
  file: string,
  { place = tmpdir(), findIdentity }: { place?: string; findIdentity?: FindIdentity } = {},
): Promise<Manifest> {
  const own = await mkdtemp(join(place, "verify-backup-"));
  const folder = join(own, "content");
  await mkdir(folder, { mode: 0o700 });
  try {
    const manifest = await unpackVerified(file, folder, findIdentity);
    compareDatabase(file, manifest, await digestDatabase(join(folder, "pg")));
    return manifest;
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/**
 * Unpacks a backup and compares every file with the manifest, which is then no longer among them.
 * @param folder empty; an encrypted file lies beside it in plain meanwhile
 * @throws OperationRefused naming each difference, or because the key is the wrong one
 */
export async function unpackVerified(file: string, folder: string, findIdentity?: FindIdentity): Promise<Manifest> {
  await withPlainFile(file, dirname(folder), findIdentity, (plain) => unpackArchive(plain, folder, file));
  const path = join(folder, manifestName);
  const manifest = parseManifest(await readFile(path, "utf8").catch(() => ""));
  if (!manifest) throw new OperationRefused(`${file} is no backup of this product, or of a later version of it.`);
  await rm(path);
  const found = new Map((await describeFiles(folder)).map((entry) => [entry.path, entry]));
  const differences: string[] = [];
  for (const { path: name, bytes, sha256 } of manifest.files) {
    const there = found.get(name);
    if (!there) differences.push(`the file ${name} is missing`);
    else if (there.bytes !== bytes || there.sha256 !== sha256) differences.push(`the file ${name} was changed`);
    found.delete(name);
  }
  for (const name of found.keys()) differences.push(`the file ${name} was added`);
  refuse(file, differences);
  return manifest;
}

/** @throws OperationRefused naming each difference */
export function compareDatabase(file: string, manifest: Manifest, database: DatabaseDigest): void {
  const differences = compareTables(manifest.tables, database.tables);
  if (manifest.migrations.join() !== database.migrations.join()) differences.unshift("the migrations differ");
  refuse(file, differences);
}

/** One line a table that differs; none when both hold the same. */
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
  throw new OperationRefused([`${file} is not what its manifest says:`, ...shown, ...more].join("\n"));
}
