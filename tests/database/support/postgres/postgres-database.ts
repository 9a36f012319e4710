import { Client } from "pg";

/** One database of a PostgreSQL server. */
export interface PostgresDatabase {
  /** Folder of the server's socket, as `host` in a connection string. */
  socketDir: string;
  name: string;
  /** Runs statements as the superuser, or as the role that migrations run as; each call in a session of its own. */
  exec(sql: string, as?: "supabase_admin" | "postgres"): Promise<void>;
  /** Rows of one statement that returns some. `$1`, `$2`… are replaced by quoted parameters. */
  sql<T>(query: string, parameters?: unknown[]): Promise<T[]>;
}

/** Reaches a database that exists; nothing stays connected between two calls. */
export function openDatabase(socketDir: string, name: string): PostgresDatabase {
  const inSession = async <T>(user: string, work: (client: Client) => Promise<T>): Promise<T> => {
    const client = new Client({ host: socketDir, user, database: name });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };
  return {
    socketDir,
    name,
    exec: (sql, as = "supabase_admin") => inSession(as, async (client) => void (await client.query(sql))),
    sql: (query, parameters = []) =>
      inSession("supabase_admin", async (client) => {
        const statement = query.replaceAll(/\$(\d+)/g, (_, index) => quote(parameters[Number(index) - 1]));
        // As JSON, so that each value comes as PostgREST would give it.
        const { rows } = await client.query(
          `with result as (${statement}) select coalesce(json_agg(result), '[]') as found from result`,
        );
        return rows[0].found;
      }),
  };
}

function quote(value: unknown): string {
  if (value === null || value === undefined) return "null";
  return `'${(typeof value === "object" ? JSON.stringify(value) : String(value)).replaceAll("'", "''")}'`;
}
