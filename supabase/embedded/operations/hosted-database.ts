import { Client, DatabaseError } from "pg";
import { OperationRefused } from "./operation-refused.ts";

/** A transaction on the database of a hosted project. */
export interface HostedDatabase {
  /** Runs one statement and returns its rows. */
  query<T>(sql: string, parameters?: unknown[]): Promise<T[]>;
  /** Runs a statement with parameters. */
  run(sql: string, parameters: unknown[]): Promise<void>;
}

/** What an operation does there. */
export interface Visit {
  /** which PostgreSQL shows beside the connection */
  operation: string;
  /** the statement that begins the transaction */
  begin: string;
  /** what messages call the database */
  called: string;
  /** the sentence that ends them */
  outcome: string;
}

/**
 * Connects, and runs `work` in one transaction that is rolled back when it throws.
 * @param url `postgresql://…` of a role that owns the product's tables
 * @throws OperationRefused when the database cannot be reached or refuses something; only codes and names of tables are
 *   told, because PostgreSQL's own words may quote a row, and the address holds a password
 */
export async function withHostedDatabase<T>(
  url: string,
  visit: Visit,
  work: (database: HostedDatabase) => Promise<T>,
): Promise<T> {
  const client = connectable(url, visit);
  // A connection that breaks is reported by whatever statement was under way.
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query(visit.begin);
    // As PGlite has them: digests are taken of texts, and texts depend on these.
    await client.query("set local time zone 'UTC'; set local datestyle = 'ISO'; set local intervalstyle = 'postgres'");
    await client.query(
      "set local bytea_output = 'hex'; set local extra_float_digits = 1; set local statement_timeout = 0",
    );
    const result = await work({
      query: async <Row>(sql: string, parameters?: unknown[]) => (await client.query(sql, parameters)).rows as Row[],
      run: async (sql, parameters) => void (await client.query(sql, parameters)),
    });
    await client.query("commit");
    return result;
  } catch (error) {
    throw explain(error, visit);
  } finally {
    // Ending the connection rolls back what was not committed.
    await client.end().catch(() => undefined);
  }
}

/** A password with / # or ? ends the part that names the host too early. `user@/database?host=` of a local socket is right. */
function isMisread(url: string): boolean {
  return /^[^@/?#]*\/\/[^@/?#]*:[^@/?#]*[/?#][^@]*@/.test(url) && !/[?&]user=/.test(url);
}

function connectable(url: string, { operation }: Visit): Client {
  try {
    if (isMisread(url) || !/^postgres(?:ql)?:/.test(url)) throw new TypeError("Invalid URL");
    return new Client({ connectionString: url, application_name: operation });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      throw new OperationRefused("DATABASE_URL names a file that is not there (sslrootcert, sslcert or sslkey).");
    throw new OperationRefused(
      "DATABASE_URL is not the address of a PostgreSQL database, like postgresql://user:password@host:5432/postgres. " +
        "In its user and password write / as %2F, # as %23, ? as %3F, @ as %40 and % as %25.",
    );
  }
}

function explain(error: unknown, { called, outcome }: Visit): unknown {
  if (error instanceof DatabaseError) {
    const where = [error.table, error.constraint].filter(Boolean).join(", ");
    return new OperationRefused(`${called} refused (SQLSTATE ${error.code}${where && `, ${where}`}). ${outcome}`);
  }
  if (error instanceof OperationRefused || !(error instanceof Error)) return error;
  if ("code" in error) {
    const isOfTls = /^(?:ERR_(?:TLS|SSL)|CERT_|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO)/.test(String(error.code));
    const hint = isOfTls ? "Its certificate is not accepted: see sslmode and sslrootcert in" : "Look at";
    return new OperationRefused(
      `${called} cannot be reached (${String(error.code)}). ${outcome} ${hint} DATABASE_URL.`,
    );
  }
  const remedy = remedies.find(([said]) => said.test(error.message))?.[1];
  return remedy === undefined ? error : new OperationRefused(`${called} ${remedy} ${outcome}`);
}

/** By what the driver says where it has no code. */
const remedies: [said: RegExp, remedy: string][] = [
  [
    /does not support SSL|establishing an SSL/,
    "has no TLS. Switch it on there, or take sslmode out of DATABASE_URL where the network is yours alone.",
  ],
  [/password must be a string|no password/i, "asks for a password, and DATABASE_URL has none."],
  [/timeout|terminated unexpectedly/i, "does not answer, or hung up."],
];
