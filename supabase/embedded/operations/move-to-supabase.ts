import { existsSync } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { finishRestore } from "../folder/finish-restore.ts";
import { lockFolder } from "../folder/lock.ts";
import { digestTable } from "./digest.ts";
import { checkTarget, hasRows } from "./move/check-target.ts";
import { copyTable } from "./move/copy-table.ts";
import { listSequences, type ProductTable } from "./move/product-tables.ts";
import { type Target, withTarget } from "./move/target.ts";
import { moveUsers } from "./move/users.ts";
import { OperationRefused } from "./operation-refused.ts";
import { queryOf, withDatabase } from "./read-database.ts";
import { compareTables, unpackVerified } from "./verify.ts";

/** What was moved. */
export interface Moved {
  users: number;
  tables: { name: string; rows: number }[];
}

/**
 * Copies every row of the product, and the accounts, from the embedded backend to a PostgreSQL database with the same
 * migrations, in one transaction, and compares counts and hashes before it is committed.
 * @param source a data folder that no server runs on, or a backup file
 * @param databaseUrl the hosted project's direct connection, as the role postgres
 * @throws OperationRefused when the target is not as it must be, or something differs afterwards: nothing was moved
 * @throws DataFolderInUse when a server runs on the folder: what it accepts from now on would stay behind
 */
export async function moveToSupabase(source: string, databaseUrl: string): Promise<Moved> {
  return withSource(resolve(source), (files) =>
    withDatabase(files, (database) => withTarget(databaseUrl, (target) => moveAll(database, target))),
  );
}

async function moveAll(database: PGlite, target: Target): Promise<Moved> {
  const source = queryOf(database);
  const tables = await checkTarget(source, target);
  const users = await moveUsers(source, target);
  const moved: Moved["tables"] = [];
  await target.query("set constraints all deferred");
  const made = new Set<ProductTable>();
  for (const table of tables) {
    // What triggers of the target have made by now of other tables' rows stays theirs: its locale is not PGlite's.
    if (await hasRows(target.query, table)) made.add(table);
    else await copyTable(database, target, table);
  }
  for (const { name, last } of await listSequences(source)) {
    await target.run("select setval($1::regclass, $2::bigint)", [name, last]);
  }
  for (const table of tables) {
    const expected = await digestTable(source, table.name);
    const found = await digestTable(target.query, table.name);
    const comparable = made.has(table) ? { ...found, sha256: expected.sha256 } : found;
    const differences = compareTables([expected], [comparable]);
    if (differences.length > 0) throw new OperationRefused(`After copying, ${differences.join()}. Nothing was moved.`);
    moved.push({ name: table.name, rows: found.rows });
  }
  return { users, tables: moved };
}

async function withSource<T>(source: string, work: (files: string) => Promise<T>): Promise<T> {
  const stats = await stat(source).catch(() => null);
  if (!stats) throw new OperationRefused(`${source} is not there.`);
  if (stats.isFile()) return withBackup(source, work);
  const lock = await lockFolder(source);
  try {
    await finishRestore(source);
    return await work(requireDatabase(source, source));
  } finally {
    await lock.release();
  }
}

async function withBackup<T>(file: string, work: (files: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "move-to-supabase-"));
  try {
    await unpackVerified(file, folder);
    return await work(requireDatabase(folder, file));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** PGlite would make a new one where there is none. */
function requireDatabase(folder: string, source: string): string {
  const files = join(folder, "pg");
  if (!existsSync(files)) throw new OperationRefused(`There is no database in ${source}.`);
  return files;
}
