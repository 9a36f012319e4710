import type { PGlite } from "@electric-sql/pglite";
import type { BackendLog } from "./log.ts";
import { type Migration, MigrationFailed, recordMigration } from "./migration.ts";

/** The last of the migrations that the baseline replaced, and how many they were. */
const replaced = { last: "20261122000200", count: 34 };

/** The last file of the baseline; whatever comes after it runs on old and new databases alike. */
const lastOfBaseline = "20261122011500";

/**
 * Takes over a database that was made by the migrations before the baseline (decision 36): its schema is the baseline's
 * already, so only the record of what has been applied is replaced, in one transaction. Does nothing to any other.
 * @param migrations in their order; only where the baseline is among them is anything taken over
 * @throws MigrationFailed for a database that has seen some of the old migrations and not all; it stays as it is
 */
export async function takeOverBaseline(database: PGlite, migrations: Migration[], log: BackendLog): Promise<void> {
  const end = migrations.findIndex(({ version }) => version === lastOfBaseline);
  if (end === -1) return;
  const recorded = await database.query<{ version: string }>(
    `select version from supabase_migrations.schema_migrations where version collate "C" <= $1 order by version collate "C"`,
    [replaced.last],
  );
  const old = recorded.rows.map(({ version }) => version);
  if (old.length === 0) return;
  if (old.length !== replaced.count || old.at(-1) !== replaced.last) throw new MigrationFailed(tooOld(old));
  await database.transaction(async (transaction) => {
    await transaction.query("delete from supabase_migrations.schema_migrations where version = any ($1)", [old]);
    for (const migration of migrations.slice(0, end + 1)) await recordMigration(transaction, migration);
  });
  log({ event: "embedded.baseline-taken-over", migrations: old.length });
}

function tooOld(applied: string[]): string {
  return [
    `This data folder is at migration ${applied.at(-1)} (${applied.length} of ${replaced.count} before the baseline), and`,
    `this version can only go on from ${replaced.last}. Start the site once on this folder as it was at commit 9cc099a,`,
    "stop it, and start this version. Nothing has been changed.",
  ].join(" ");
}
