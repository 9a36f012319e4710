import { Client, DatabaseError } from "pg";
import type { Query } from "../digest.ts";
import { OperationRefused } from "../operation-refused.ts";

/** A transaction on the database that rows are moved to. */
export interface Target {
  query: Query;
  /** Runs a statement with parameters. */
  run(sql: string, parameters: unknown[]): Promise<void>;
}

/**
 * Connects, and runs `work` in one transaction that is rolled back when it throws.
 * @param url `postgresql://…` of a role that owns the product's tables
 * @throws OperationRefused when the database cannot be reached or refuses something; only codes and names of tables are
 *   told, because PostgreSQL's own words may quote a row, and the address holds a password
 */
export async function withTarget<T>(url: string, work: (target: Target) => Promise<T>): Promise<T> {
  const client = connectable(url);
  // A connection that breaks is reported by whatever statement was under way.
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("begin");
    // As PGlite has them: digests are taken of texts, and texts depend on these.
    await client.query("set local time zone 'UTC'; set local datestyle = 'ISO'; set local intervalstyle = 'postgres'");
    await client.query(
      "set local bytea_output = 'hex'; set local extra_float_digits = 1; set local statement_timeout = 0",
    );
    const result = await work({
      query: async <Row>(sql: string) => (await client.query(sql)).rows as Row[],
      run: async (sql, parameters) => void (await client.query(sql, parameters)),
    });
    await client.query("commit");
    return result;
  } catch (error) {
    throw explain(error);
  } finally {
    // Ending the connection rolls back what was not committed.
    await client.end().catch(() => undefined);
  }
}

function connectable(url: string): Client {
  try {
    return new Client({ connectionString: url, application_name: "move-to-supabase" });
  } catch {
    throw new OperationRefused("DATABASE_URL is not the address of a PostgreSQL database.");
  }
}

function explain(error: unknown): unknown {
  if (error instanceof DatabaseError) {
    const where = [error.table, error.constraint].filter(Boolean).join(", ");
    return new OperationRefused(
      `The target refused (SQLSTATE ${error.code}${where && `, ${where}`}). Nothing was moved.`,
    );
  }
  if (error instanceof Error && "code" in error) {
    return new OperationRefused(`The target cannot be reached (${String(error.code)}). Nothing was moved.`);
  }
  return error;
}
