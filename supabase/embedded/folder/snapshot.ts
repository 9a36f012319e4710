import { mkdtemp, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { copyTree } from "./copy-tree.ts";

/** Makes the folder within the data folder: on the same disk a copy is cheap, and only the owner can read it. */
export async function makeSnapshotFolder(dataDir: string): Promise<string> {
  return mkdtemp(join(dataDir, "snapshot-"));
}

export async function removeSnapshotFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

/**
 * Copies the files of an open database into a new folder, from which a database can be started.
 *
 * The caller must keep all other work off the database meanwhile: PGlite writes only while it executes a statement, so
 * its files do not change. Of the write-ahead log only the part after the checkpoint is needed. The rest is spare
 * segments, which still hold rows erased long ago.
 * @param database open, and idle until the promise settles
 * @param files its folder
 * @param target must not exist
 */
export async function copyDatabase(database: PGlite, files: string, target: string): Promise<void> {
  await database.exec("checkpoint");
  const { rows } = await database.query<{ first: string; last: string }>(neededSegments);
  const [needed] = rows;
  if (!needed) throw new Error("PostgreSQL did not report the WAL segments that are needed");
  await copyTree(files, target, (path) => {
    const name = basename(path);
    if (basename(dirname(path)) !== "pg_wal" || !/^[0-9A-F]{24}$/.test(name)) return true;
    return name >= needed.first && name <= needed.last;
  });
}

/** Segment names are hexadecimal numbers and sort in order. Adds one byte to get the next segment at a boundary. */
const neededSegments = `
  select pg_walfile_name(redo_lsn) as first, pg_walfile_name(pg_current_wal_insert_lsn() + 1) as last
  from pg_control_checkpoint()`;
