import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { isFolder } from "../../folder/durable-files.ts";
import { takeDataFolder } from "../../folder/take-folder.ts";
import { eraseAgain, type RepeatedErasures, findErasures } from "../../backups/erase-again.ts";
import type { Reading } from "../../backups/origin.ts";
import { type ConnectionPurpose, withHostedDatabase } from "../hosted-database.ts";
import { checkTarget, hasRows } from "./check-target.ts";
import { copyTable } from "./copy-table.ts";
import { moveFactors } from "./factors.ts";
import { listSequences, type ProductTable } from "./product-tables.ts";
import { moveUsers } from "./users.ts";
import { requireOwner } from "../command-words.ts";
import { requireReadable } from "../file-failure.ts";
import { OperationRefused } from "../operation-refused.ts";
import { digestTable, type Query, queryOf, withDatabase } from "../read-database.ts";
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
  const path = resolve(source);
  const moveFrom = (database: PGlite, folder: string, erasures: RepeatedErasures | null) =>
    withHostedDatabase(databaseUrl, moving, async (target) => ({
      ...(await moveAll(database, target, folder)),
      erasures,
    }));
  return (await isFolder(path)) ? moveFolder(path, moveFrom) : moveBackup(path, options, moveFrom);
}

type MoveFrom = (database: PGlite, folder: string, erasures: RepeatedErasures | null) => Promise<MoveResult>;

async function moveFolder(folder: string, moveFrom: MoveFrom): Promise<MoveResult> {
  requireOwner(folder);
  const lock = await takeDataFolder(folder);
  try {
    // PGlite would create one.
    if (!existsSync(join(folder, "pg"))) throw new OperationRefused(`There is no database in ${folder}.`);
    return await withDatabase(join(folder, "pg"), (database) => moveFrom(database, folder, null));
  } finally {
    await lock.release();
  }
}

async function moveBackup(file: string, options: MoveOptions, moveFrom: MoveFrom): Promise<MoveResult> {
  await requireReadable(file);
  return withUnpacked(file, options, async (folder, { manifest, provedBy }) => {
    const place = { folder: dirname(file), provedBy };
    const list = await findErasures([place], manifest.madeAt, options.withoutErasures);
    return withDatabase(join(folder, "pg"), async (database) =>
      moveFrom(database, folder, await eraseAgain(folder, database, list)),
    );
  });
}

const moving: ConnectionPurpose = {
  operation: "move-to-supabase",
  begin: "begin",
  called: "The target",
  outcome: "Nothing was moved.",
};

async function moveAll(database: PGlite, target: Query, folder: string): Promise<Omit<MoveResult, "erasures">> {
  const source = queryOf(database);
  const tables = await checkTarget(source, target);
  const users = await moveUsers(source, target);
  await moveFactors(source, target, folder);
  const moved: MoveResult["tables"] = [];
  await target("set constraints all deferred");
  const made = new Set<ProductTable>();
  for (const table of tables) {
    // Keep rows that triggers of the target created for other tables: its locale is not PGlite's.
    if (await hasRows(target, table)) made.add(table);
    else await copyTable(database, target, table);
  }
  for (const { name, last } of await listSequences(source)) {
    await target("select setval($1::regclass, $2::bigint)", [name, last]);
  }
  for (const table of tables) {
    const expected = await digestTable(source, table.name);
    const found = await digestTable(target, table.name);
    const comparable = made.has(table) ? { ...found, sha256: expected.sha256 } : found;
    const differences = compareTables([expected], [comparable]);
    if (differences.length > 0) throw new OperationRefused(`After copying, ${differences.join()}. Nothing was moved.`);
    moved.push({ name: table.name, rows: found.rows });
  }
  return { users, tables: moved };
}
