import { Client, Pool, type QueryResult } from "pg";
import { fillIn } from "../statements.ts";

/** One database of a PostgreSQL server. */
export type PostgresDatabase = ReturnType<typeof openDatabase>;

/** The superuser of hosted projects. */
export const superuser = "supabase_admin";

/** Opens an existing database. @param socketDir folder of the server's socket, as `host` in a connection string */
export function openDatabase(socketDir: string, name: string) {
  const pool = new Pool({ host: socketDir, user: superuser, database: name, allowExitOnIdle: true });
  // The server ends idle sessions when it stops.
  pool.on("error", () => undefined);
  return {
    socketDir,
    name,
    /**
     * Runs statements as the superuser or as the role of migrations, and returns the rows of the last one. Each call has
     * its own session.
     */
    exec: async <T>(sql: string, as?: "postgres"): Promise<T[]> => {
      const client = new Client({ host: socketDir, user: as ?? superuser, database: name });
      await client.connect();
      try {
        return ([] as QueryResult[]).concat(await client.query(sql)).at(-1)!.rows as T[];
      } finally {
        await client.end();
      }
    },
    /**
     * Returns the rows of one statement. Replaces `$1`, `$2`… by quoted parameters. Its session stays open for further
     * calls, as long as the process has other work.
     */
    sql: async <T>(query: string, parameters?: unknown[]): Promise<T[]> => {
      // As JSON, so that each value has the form in which PostgREST returns it.
      const { rows } = await pool.query(
        `with result as (${fillIn(query, parameters)}) select coalesce(json_agg(result), '[]') as found from result`,
      );
      return rows[0].found;
    },
  };
}
