import type { PGlite } from "@electric-sql/pglite";
import { toSqlError, SqlError } from "./session/sql-error.ts";

/** Maps file names to SQL, as `import.meta.glob` with `?raw` does: "../migrations/20260101000000_contact.sql". */
export type Migrations = Record<string, string>;

/** The product's own migrations, the same files that a hosted project gets. */
export const productMigrations: Migrations = import.meta.glob("../migrations/*.sql", {
  query: "?raw",
  import: "default",
  eager: true,
});

interface Migration {
  version: string;
  name: string;
  sql: string;
}

/** Thrown when a migration fails or the database has another schema. The message says which and what to do. */
export class MigrationFailed extends Error {
  override readonly name = "MigrationFailed";
}

/**
 * Applies, in order of version, every migration that this database lacks. Each runs in one transaction together with
 * its record, so that a crash leaves both or neither.
 * @throws MigrationFailed naming the file; earlier migrations stay applied
 */
export async function applyMigrations(database: PGlite, migrations: Migrations): Promise<void> {
  const applied = await readRecord(database);
  for (const migration of inOrder(migrations)) {
    if (!applied.has(migration.version)) await applyMigration(database, migration);
  }
}

/** The migrations of a database, compared with those of this program. */
export interface SchemaState {
  /** number that a database with data lacks; 0 also for a new database, which has no data yet */
  missing: number;
  /** version of the newest one that both have; empty for a new database */
  newest: string;
  /** the database has more: a later version of this program made it */
  isNewer: boolean;
  /** other migrations made the database */
  isOther: boolean;
}

/** Compares a database with this program. */
export async function readSchemaState(database: PGlite, migrations: Migrations): Promise<SchemaState> {
  const ordered = inOrder(migrations);
  const recorded = await readRecord(database);
  const last = ordered.at(-1)?.version ?? "";
  const newest = ordered.findLast(({ version }) => recorded.has(version))?.version ?? "";
  return {
    missing: recorded.size === 0 ? 0 : ordered.filter(({ version }) => !recorded.has(version)).length,
    newest,
    // A program without migrations cannot tell.
    isNewer: last !== "" && [...recorded.keys()].some((version) => version > last),
    isOther: isOtherSchema(recorded, ordered),
  };
}

/**
 * Compares the recorded SQL of a database with the files, ignoring comments and whitespace. A newer database has all of
 * these migrations, and more.
 */
function isOtherSchema(recorded: Map<string, string>, ordered: Migration[]): boolean {
  const newest = ordered.at(-1)?.version ?? "";
  const files = new Map(ordered.map(({ version, sql }) => [version, sql]));
  return [...recorded].some(
    ([version, sql]) => version <= newest && withoutLayout(files.get(version) ?? "") !== withoutLayout(sql),
  );
}

function withoutLayout(sql: string): string {
  return sql.replaceAll(/--.*/g, "").replaceAll(/\s+/g, "");
}

/**
 * Reads the SQL of each migration that a database has run, by version. Returns an empty map when it has no record of
 * them.
 */
async function readRecord(database: PGlite): Promise<Map<string, string>> {
  const table = await database.query("select 1 where to_regclass('supabase_migrations.schema_migrations') is not null");
  if (table.rows.length === 0) return new Map();
  const { rows } = await database.query<{ version: string; sql: string | null }>(
    "select version, array_to_string(statements, ';') as sql from supabase_migrations.schema_migrations",
  );
  return new Map(rows.map(({ version, sql }) => [version, sql ?? ""]));
}

function inOrder(migrations: Migrations): Migration[] {
  const named = Object.entries(migrations).map(([path, sql]) => {
    const [, version = "", name = ""] = /(\d+)_([^/]+)\.sql$/.exec(path) ?? [];
    return { version, name, sql };
  });
  return named.toSorted((a, b) => (a.version < b.version ? -1 : 1));
}

async function applyMigration(database: PGlite, migration: Migration): Promise<void> {
  try {
    await database.transaction(async (transaction) => {
      await transaction.exec(migration.sql);
      // The Supabase CLI records them the same way in a hosted project.
      await transaction.query(
        "insert into supabase_migrations.schema_migrations (version, name, statements) values ($1, $2, array[$3])",
        [migration.version, migration.name, migration.sql],
      );
    });
  } catch (error) {
    const reason = toSqlError(error);
    const detail = reason instanceof SqlError ? `${reason.code}: ${reason.message}` : String(reason);
    throw new MigrationFailed(
      `Migration ${migration.version}_${migration.name}.sql failed and was rolled back. ${detail}`,
    );
  } finally {
    // A migration's SET must not affect requests, which share its session.
    await database.exec("reset role; reset all");
  }
}
