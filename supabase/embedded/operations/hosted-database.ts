import type { ConnectionOptions } from "node:tls";
import { Client, DatabaseError } from "pg";
import { isLoopback } from "../../../app/lib/http/loopback.ts";
import { OperationRefused } from "./operation-refused.ts";
import type { Query } from "./read-database.ts";

/** Purpose of a connection. */
export interface ConnectionPurpose {
  /** shown by PostgreSQL beside the connection */
  operation: string;
  /** the statement that begins the transaction */
  begin: string;
  /** name of the database in messages */
  called: string;
  /** last sentence of messages */
  outcome: string;
}

/**
 * Connects, and runs `work` in one transaction, which is rolled back when it throws.
 * @param url `postgresql://…` of a role that owns the product's tables
 * @throws OperationRefused when the database cannot be reached or rejects a statement. Messages contain only codes and
 *   table names, because PostgreSQL's messages may quote a row, and the URL holds a password
 */
export async function withHostedDatabase<T>(
  url: string,
  visit: ConnectionPurpose,
  work: (query: Query) => Promise<T>,
): Promise<T> {
  const client = connectable(url, visit);
  // The statement in progress reports a broken connection.
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query(visit.begin);
    // The same as in PGlite: digests hash text output, which depends on these settings.
    await client.query("set local time zone 'UTC'; set local datestyle = 'ISO'; set local intervalstyle = 'postgres'");
    await client.query(
      "set local bytea_output = 'hex'; set local extra_float_digits = 1; set local statement_timeout = 0",
    );
    const result = await work(
      async <Row>(sql: string, parameters?: unknown[]) => (await client.query(sql, parameters)).rows as Row[],
    );
    await client.query("commit");
    return result;
  } catch (error) {
    throw explain(error, visit);
  } finally {
    // Closing the connection rolls back an uncommitted transaction.
    await client.end().catch(() => undefined);
  }
}

/**
 * Detects a password with / # or ?, which makes the URL parser end the host too early. Allows `user@/database?host=` of
 * a local socket.
 */
function isMisread(url: string): boolean {
  return /^[^@/?#]*\/\/[^@/?#]*:[^@/?#]*[/?#][^@]*@/.test(url) && !/[?&]user=/.test(url);
}

function connectable(url: string, { operation }: ConnectionPurpose): Client {
  try {
    if (isMisread(url) || !/^postgres(?:ql)?:/.test(url)) throw new TypeError("Invalid URL");
    const client = new Client({ connectionString: url, application_name: operation });
    if (!isLocal(client.host) && !verifiesServer(client)) throw new OperationRefused(unverified);
    return client;
  } catch (error) {
    if (error instanceof OperationRefused) throw error;
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      throw new OperationRefused("DATABASE_URL names a file that does not exist (sslrootcert, sslcert or sslkey).");
    throw new OperationRefused(
      "DATABASE_URL is not a PostgreSQL URL such as postgresql://user:password@host:5432/postgres. " +
        "In its user and password, write / as %2F, # as %23, ? as %3F, @ as %40 and % as %25.",
    );
  }
}

const unverified =
  "DATABASE_URL leads to another machine without a verified certificate: add sslmode=verify-full&sslrootcert=<file>, " +
  "or connect through a tunnel to this machine.";

/** Checks for this machine, or a socket's folder. */
function isLocal(host: string): boolean {
  return isLoopback(host) || host.startsWith("/");
}

/** Checks the options that the driver found in the URL and in `PGSSLMODE`: all rows and a password go this way. */
function verifiesServer(client: Client): boolean {
  const tls = client.ssl as boolean | ConnectionOptions;
  if (typeof tls === "boolean") return tls;
  return tls.rejectUnauthorized !== false && tls.checkServerIdentity === undefined;
}

function explain(error: unknown, { called, outcome }: ConnectionPurpose): unknown {
  if (error instanceof DatabaseError) {
    const where = [error.table, error.constraint].filter(Boolean).join(", ");
    return new OperationRefused(
      `${called} rejected a statement (SQLSTATE ${error.code}${where && `, ${where}`}). ${outcome}`,
    );
  }
  if (error instanceof OperationRefused || !(error instanceof Error)) return error;
  if ("code" in error) {
    const isOfTls = /^(?:ERR_(?:TLS|SSL)|CERT_|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO)/.test(String(error.code));
    const hint = isOfTls ? "Its certificate was rejected: check sslmode and sslrootcert in" : "Check";
    return new OperationRefused(
      `${called} cannot be reached (${String(error.code)}). ${outcome} ${hint} DATABASE_URL.`,
    );
  }
  const remedy = remedies.find(([said]) => said.test(error.message))?.[1];
  return remedy === undefined ? error : new OperationRefused(`${called} ${remedy} ${outcome}`);
}

/** Remedies by the driver's message, for errors without a code. */
const remedies: [said: RegExp, remedy: string][] = [
  [
    /does not support SSL|establishing an SSL/,
    "does not support TLS. Enable it there, or remove sslmode from DATABASE_URL if it is on this machine.",
  ],
  [/password must be a string|no password/i, "requires a password, and DATABASE_URL has none."],
  [/timeout|terminated unexpectedly/i, "did not respond, or closed the connection."],
];
