import type { PGlite } from "@electric-sql/pglite";
import { takeOverBaseline } from "./baseline.ts";
import type { BackendLog } from "./log.ts";
import { listMigrations } from "./operations/backups/digest.ts";
import { type Migration, MigrationFailed, recordMigration } from "./migration.ts";
import { toSqlError, SqlError } from "./session/sql-error.ts";

/** File name to SQL, as `import.meta.glob` with `?raw` gives it: "../migrations/20260101000000_contact.sql". */
export type Migrations = Record<string, string>;

/** The product's own migrations, the very files that a hosted project is given. */
export const productMigrations: Migrations = import.meta.glob("../migrations/*.sql", {
  query: "?raw",
  import: "default",
  eager: true,
});

/**
 * Applies, in name order, every migration that this database has not seen, each in one transaction together with its
 * record, so that a crash in between leaves neither or both.
 * @throws MigrationFailed naming the file; what came before it stays applied. Also for a database too old for the baseline
 */
export async function applyMigrations(database: PGlite, migrations: Migrations, log: BackendLog): Promise<void> {
  const ordered = inOrder(migrations);
  await takeOverBaseline(database, ordered, log);
  const recorded = await database.query<{ version: string }>(
    "select version from supabase_migrations.schema_migrations",
  );
  const applied = new Set(recorded.rows.map((row) => row.version));
  for (const migration of ordered) {
    if (applied.has(migration.version)) continue;
    await applyMigration(database, migration);
    applied.add(migration.version);
  }
}

/**
 * Counts the migrations that a database with data has not seen.
 * @returns 0 for a new database as well: there is nothing in it yet
 */
export async function countNewMigrations(database: PGlite, migrations: Migrations): Promise<number> {
  const recorded = await listMigrations(async <T>(sql: string) => (await database.query<T>(sql)).rows);
  if (recorded === null || recorded.length === 0) return 0;
  const seen = new Set(recorded);
  return inOrder(migrations).filter(({ version }) => !seen.has(version)).length;
}

function inOrder(migrations: Migrations): Migration[] {
  const parsed = Object.entries(migrations).map(([path, sql]) => parseMigration(path, sql));
  parsed.sort((a, b) => (a.version < b.version ? -1 : 1));
  const versions = new Set<string>();
  for (const { version } of parsed) {
    if (versions.has(version)) throw new MigrationFailed(`Two migrations have the version ${version}; rename one.`);
    versions.add(version);
  }
  return parsed;
}

function parseMigration(path: string, sql: string): Migration {
  const match = /(\d+)_([^/]+)\.sql$/.exec(path);
  if (!match?.[1] || !match[2]) throw new MigrationFailed(`${path} is not named <version>_<name>.sql`);
  return { version: match[1], name: match[2], sql };
}

async function applyMigration(database: PGlite, migration: Migration): Promise<void> {
  try {
    await database.transaction(async (transaction) => {
      await transaction.exec(migration.sql);
      await recordMigration(transaction, migration);
    });
  } catch (error) {
    const reason = toSqlError(error);
    const detail = reason instanceof SqlError ? `${reason.code}: ${reason.message}` : String(reason);
    throw new MigrationFailed(
      `Migration ${migration.version}_${migration.name}.sql failed and was rolled back. ${detail}`,
    );
  } finally {
    // A migration's SET must not reach the requests that share its session.
    await database.exec("reset role; reset all");
  }
}
