import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { finishRestore } from "../../backups/finish-restore.ts";
import { lockFolder } from "../../folder/lock.ts";
import { eraseAgain, type RepeatedErasures, findErasures } from "../../backups/erase-again.ts";
import type { Reading } from "../../backups/origin.ts";
import { type HostedDatabase, type ConnectionPurpose, withHostedDatabase } from "../hosted-database.ts";
import { checkTarget, hasRows } from "./check-target.ts";
import { copyTable } from "./copy-table.ts";
import { moveFactors } from "./factors.ts";
import { listSequences, type ProductTable } from "./product-tables.ts";
import { moveUsers } from "./users.ts";
import { requireOwner } from "../command-words.ts";
import { requireReadable } from "../file-failure.ts";
import { OperationRefused } from "../operation-refused.ts";
import { digestTable, queryOf, withDatabase } from "../read-database.ts";
import { compareTables, withUnpacked } from "../../backups/verify.ts";

/** Result of a move. */
export interface MoveResult {
  users: number;
  tables: { name: string; rows: number }[];
  /** for a backup: repeated erasures; null when a data folder was moved */
  erasures: RepeatedErasures | null;
}

interface MoveOptions extends Reading {
  withoutErasures: boolean;
}

/**
 * Copies every row of the product, and the accounts, from the embedded backend to a PostgreSQL database with the same
 * migrations, in one transaction, and compares counts and hashes before the commit.
 * @param source a data folder that no server uses, or a backup file
 * @param databaseUrl the hosted project's direct connection, as the role postgres
 * @param options `withoutErasures`: the list of erasures since the backup may be missing; the other options apply to
 *   reading the backup
 * @throws OperationRefused when the target fails a check, the copies differ, or that list is missing. Nothing was moved
 *   then
 * @throws DataFolderInUse when a server runs on the folder: data that it accepts from now on would not be moved
 */
export async function moveToSupabase(
  source: string,
  databaseUrl: string,
  options: MoveOptions = { withoutErasures: false },
): Promise<MoveResult> {
  return withSource(resolve(source), options, (files, erasures) =>
    withDatabase(files, (database) =>
      withHostedDatabase(databaseUrl, moving, async (target) => ({
        ...(await moveAll(database, target, dirname(files))),
        erasures,
      })),
    ),
  );
}

const moving: ConnectionPurpose = {
  operation: "move-to-supabase",
  begin: "begin",
  called: "The target",
  outcome: "Nothing was moved.",
};

async function moveAll(
  database: PGlite,
  target: HostedDatabase,
  folder: string,
): Promise<Omit<MoveResult, "erasures">> {
  const source = queryOf(database);
  const tables = await checkTarget(source, target);
  const users = await moveUsers(source, target);
  await moveFactors(source, target, folder);
  const moved: MoveResult["tables"] = [];
  await target.query("set constraints all deferred");
  const made = new Set<ProductTable>();
  for (const table of tables) {
    // Keep rows that triggers of the target created for other tables: its locale is not PGlite's.
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

type Work<T> = (files: string, erasures: RepeatedErasures | null) => Promise<T>;

async function withSource<T>(source: string, options: MoveOptions, work: Work<T>): Promise<T> {
  const stats = await stat(source).catch(() => null);
  if (!stats?.isDirectory()) {
    await requireReadable(source);
    return withBackup(source, options, work);
  }
  requireOwner(source);
  const lock = await lockFolder(source);
  try {
    await finishRestore(source);
    return await work(requireDatabase(source, source), null);
  } finally {
    await lock.release();
  }
}

async function withBackup<T>(file: string, options: MoveOptions, work: Work<T>): Promise<T> {
  return withUnpacked(file, options, undefined, async (folder, { manifest, provedBy }) => {
    const place = { folder: dirname(file), provedBy };
    const list = await findErasures([place], manifest.madeAt, options.withoutErasures);
    const files = requireDatabase(folder, file);
    return work(files, await withDatabase(files, (database) => eraseAgain(folder, database, list)));
  });
}

/** Checks for a database first, because PGlite would create one. */
function requireDatabase(folder: string, source: string): string {
  const files = join(folder, "pg");
  if (!existsSync(files)) throw new OperationRefused(`There is no database in ${source}.`);
  return files;
}
