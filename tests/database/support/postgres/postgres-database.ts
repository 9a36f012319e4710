import { Client } from "pg";

/** One database of a PostgreSQL server. */
export interface PostgresDatabase {
  /** Folder of the server's socket, as `host` in a connection string. */
  socketDir: string;
  name: string;
  /** Runs statements as the superuser or as the role of migrations. Each call has its own session. */
  exec(sql: string, as?: Superuser): Promise<void>;
  /** Returns the rows of one statement. Replaces `$1`, `$2`… by quoted parameters. */
  sql<T>(query: string, parameters?: unknown[]): Promise<T[]>;
}

/** Superusers of hosted projects and of distributions' packages. */
export type Superuser = "supabase_admin" | "postgres";

/** Opens an existing database. No connection stays open between calls. */
export function openDatabase(
  socketDir: string,
  name: string,
  superuser: Superuser = "supabase_admin",
): PostgresDatabase {
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
    exec: (sql, as = superuser) => inSession(as, async (client) => void (await client.query(sql))),
    sql: (query, parameters = []) =>
      inSession(superuser, async (client) => {
        const statement = query.replaceAll(/\$(\d+)/g, (_, index) => quote(parameters[Number(index) - 1]));
        // As JSON, so that each value has the form in which PostgREST returns it.
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
