import type { Transaction } from "@electric-sql/pglite";

/** One file of `supabase/migrations`, "<version>_<name>.sql". */
export interface Migration {
  version: string;
  name: string;
  sql: string;
}

/** A migration that PostgreSQL refused, or a database that none fits. The message says which and what to do. */
export class MigrationFailed extends Error {
  override readonly name = "MigrationFailed";
}

/** Writes down that a database has seen a migration, as the Supabase CLI does on a hosted project. */
export async function recordMigration(transaction: Transaction, { version, name, sql }: Migration): Promise<void> {
  await transaction.query(
    "insert into supabase_migrations.schema_migrations (version, name, statements) values ($1, $2, array[$3])",
    [version, name, sql],
  );
}
