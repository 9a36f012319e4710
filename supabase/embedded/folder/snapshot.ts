import { mkdtemp, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { copyTree } from "./copy-tree.ts";

/** Made within the data folder: on the same disk a copy is cheap, and only the owner can read it. */
export async function makeSnapshotFolder(dataDir: string): Promise<string> {
  return mkdtemp(join(dataDir, "snapshot-"));
}

export async function removeSnapshotFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

/**
 * Copies the files of an open database into a new folder, from which a database can be started.
 *
 * The caller must let nothing else reach the database meanwhile: PGlite writes only while it works on a statement, so
 * that its files then stand still. Of the write-ahead log only what lies behind the checkpoint is needed; the rest is
 * spare segments, which still hold rows that were erased long ago.
 * @param database open, and idle until the promise settles
 * @param files its folder
 * @param target must not exist
 */
export async function copyDatabase(database: PGlite, files: string, target: string): Promise<void> {
  await database.exec("checkpoint");
  const { rows } = await database.query<{ first: string; last: string }>(neededSegments);
  const [needed] = rows;
  if (!needed) throw new Error("PostgreSQL did not say which of its log is needed");
  await copyTree(files, target, (path) => {
    const name = basename(path);
    if (basename(dirname(path)) !== "pg_wal" || !/^[0-9A-F]{24}$/.test(name)) return true;
    return name >= needed.first && name <= needed.last;
  });
}

/** Names of segments are their numbers in hexadecimal, and so in their order. One byte on: at a boundary, the next. */
const neededSegments = `
  select pg_walfile_name(redo_lsn) as first, pg_walfile_name(pg_current_wal_insert_lsn() + 1) as last
  from pg_control_checkpoint()`;
