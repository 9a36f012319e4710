import { inspect } from "node:util";
import { type BackendLog, stackWithoutMessage } from "../log.ts";

/**
 * A database error that is safe to print: PGlite's error carries the statement and its parameters. Code, table and constraint describe the schema; message and detail may quote a row and are not
 * printed.
 */
export class SqlError extends Error {
  override readonly name = "SqlError";
  readonly code: string;
  readonly detail: string | null;
  readonly hint: string | null;
  readonly table: string | undefined;
  readonly constraint: string | undefined;

  constructor(source: DatabaseFailure) {
    super(source.message);
    this.code = source.code;
    this.detail = source.detail ?? null;
    this.hint = source.hint ?? null;
    this.table = source.table;
    this.constraint = source.constraint;
  }

  [inspect.custom](): string {
    return `SqlError ${this.code}`;
  }
}

interface DatabaseFailure extends Error {
  code: string;
  detail?: string | undefined;
  hint?: string | undefined;
  table?: string | undefined;
  constraint?: string | undefined;
}

/** Converts a PostgreSQL error (five-character SQLSTATE) to a `SqlError`. Returns anything else unchanged. */
export function toSqlError(error: unknown): unknown {
  if (error instanceof SqlError || !isDatabaseFailure(error)) return error;
  return new SqlError(error);
}

function isDatabaseFailure(error: unknown): error is DatabaseFailure {
  return (
    error instanceof Error && "code" in error && typeof error.code === "string" && /^[0-9A-Z]{5}$/.test(error.code)
  );
}

/** Rethrows an error of PGlite as a {@link SqlError}. A panic also ends this thread, or the process. */
export function throwWithoutParameters(error: unknown): never {
  if (isPanic(error)) throwUncaught(new DatabasePanicked(error.code));
  throw toSqlError(error);
}

/**
 * Thrown after a PostgreSQL panic, for example when the disk has no space for the write-ahead log. PGlite keeps
 * running, but every further call fails. Committed data is safe, and available after a restart.
 */
class DatabasePanicked extends Error {
  override readonly name = "DatabasePanicked";

  constructor(readonly code: string) {
    super("The database panicked and must be restarted.");
  }
}

function isPanic(error: unknown): error is Error & { code: string } {
  return error instanceof Error && (error as { severity?: unknown }).severity === "PANIC";
}

/** Ends this thread, or the process, by an uncaught error. */
export function throwUncaught(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

/** Logs why a request failed: for an error of the database its code, never its message, which may quote a row. */
export function reportFailure(error: unknown, log: BackendLog): void {
  if (!(error instanceof SqlError)) {
    const name = error instanceof Error ? error.name : typeof error;
    return log({ event: "embedded.request-failed", class: name, stack: stackWithoutMessage(error) });
  }
  const { code, table, constraint } = error;
  // 53100: disk_full (PostgreSQL, Appendix A). Nothing can be stored until an operator frees space.
  const remedy =
    code === "53100" ? ({ level: "error", remedy: "free some space on the data folder's disk" } as const) : {};
  log({ event: "embedded.sql-error", code, table, constraint, ...remedy });
}
