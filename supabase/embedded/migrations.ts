import type { PGlite } from "@electric-sql/pglite";
import { toSqlError, SqlError } from "./session/sql-error.ts";

/** File name to SQL, as `import.meta.glob` with `?raw` gives it: "../migrations/20260101000000_contact.sql". */
export type Migrations = Record<string, string>;

/** The product's own migrations, the very files that a hosted project is given. */
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

/** A migration that PostgreSQL refused, or a database of another schema. The message says which and what to do. */
class MigrationFailed extends Error {
  override readonly name = "MigrationFailed";
}

/**
 * Applies, in name order, every migration that this database has not seen, each in one transaction together with its
 * record, so that a crash in between leaves neither or both.
 * @throws MigrationFailed naming the file; what came before it stays applied
 */
export async function applyMigrations(database: PGlite, migrations: Migrations): Promise<void> {
  const applied = await readRecord(database);
  for (const migration of inOrder(migrations)) {
    if (!applied.has(migration.version)) await applyMigration(database, migration);
  }
}

/**
 * Counts the migrations that a database with data has not seen.
 * @returns 0 for a new database as well: there is nothing in it yet
 * @throws MigrationFailed when it was made by migrations other than these
 */
export async function countNewMigrations(database: PGlite, migrations: Migrations): Promise<number> {
  const ordered = inOrder(migrations);
  const recorded = await readRecord(database);
  requireSameSchema(recorded, ordered);
  return recorded.size === 0 ? 0 : ordered.filter(({ version }) => !recorded.has(version)).length;
}

/**
 * Compares what a database has run with the files, comments and layout aside. A database may be newer than this version: then it
 * has all of these, and more.
 */
function requireSameSchema(recorded: Map<string, string>, ordered: Migration[]): void {
  const newest = ordered.at(-1)?.version ?? "";
  const files = new Map(ordered.map(({ version, sql }) => [version, sql]));
  for (const [version, sql] of recorded) {
    if (version > newest) continue;
    const file = files.get(version);
    if (file === undefined || withoutLayout(file) !== withoutLayout(sql)) throw new MigrationFailed(otherSchema);
  }
}

const otherSchema =
  "This data folder has the schema of another version and was left as it is: start it with the version that made it, or move it away, \
and this version makes a new one.";

function withoutLayout(sql: string): string {
  return sql.replaceAll(/--.*/g, "").replaceAll(/\s+/g, "");
}

/** The SQL of each migration that a database has run, by version; empty when it keeps no record of them. */
async function readRecord(database: PGlite): Promise<Map<string, string>> {
  const table = await database.query("select 1 where to_regclass('supabase_migrations.schema_migrations') is not null");
  if (table.rows.length === 0) return new Map();
  const { rows } = await database.query<{ version: string; sql: string | null }>(
    "select version, array_to_string(statements, ';') as sql from supabase_migrations.schema_migrations",
  );
  return new Map(rows.map(({ version, sql }) => [version, sql ?? ""]));
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
      // As the Supabase CLI does on a hosted project.
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
    // A migration's SET must not reach the requests that share its session.
    await database.exec("reset role; reset all");
  }
}
