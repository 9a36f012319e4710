import type { EmbeddedConnection } from "./connection.ts";
import { toSqlError } from "./sql-error.ts";

/**
 * Runs SQL with all rights. A query without parameters may hold several statements.
 * @throws SqlError
 */
export async function runSql<T>(
  connection: EmbeddedConnection,
  query: string,
  parameters: unknown[] = [],
): Promise<T[]> {
  try {
    if (parameters.length > 0) return (await connection.driver.query<T>(query, parameters)).rows;
    const results = await connection.driver.exec(query);
    return (results.at(-1)?.rows ?? []) as T[];
  } catch (error) {
    throw toSqlError(error);
  } finally {
    // Make new objects visible to the REST API, as PostgREST's schema reload does.
    if (/\b(?:create|alter|drop|comment)\b/i.test(query)) await connection.clearSchemaCache();
  }
}
