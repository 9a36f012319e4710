import { inspect } from "node:util";

/**
 * A database error that is safe to print: PGlite's own carries the statement and its parameters, and lite prints what
 * it meets. Code, table and constraint describe the schema; message and detail may quote a row and stay unprinted.
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

/** A PostgreSQL error (five-character SQLSTATE) becomes a `SqlError`; anything else is returned as it came. */
export function toSqlError(error: unknown): unknown {
  if (error instanceof SqlError || !isDatabaseFailure(error)) return error;
  return new SqlError(error);
}

function isDatabaseFailure(error: unknown): error is DatabaseFailure {
  return (
    error instanceof Error && "code" in error && typeof error.code === "string" && /^[0-9A-Z]{5}$/.test(error.code)
  );
}

/** Rethrows a failure of PGlite as a {@link SqlError}; a panic also ends this thread, or the process. */
export function throwWithoutParameters(error: unknown): never {
  if (isPanic(error)) throwUncaught(new DatabasePanicked(error.code));
  throw toSqlError(error);
}

/**
 * PostgreSQL has given up, as it does when its write-ahead log has no place on the disk. PGlite goes on after that, and fails
 * at whatever it is asked; what was committed is safe, and there again after a new start.
 */
class DatabasePanicked extends Error {
  override readonly name = "DatabasePanicked";

  constructor(readonly code: string) {
    super("The database has panicked, and has to be started again.");
  }
}

function isPanic(error: unknown): error is Error & { code: string } {
  return error instanceof Error && (error as { severity?: unknown }).severity === "PANIC";
}

/** Ends this thread, or the process, as an error does that nothing catches. */
export function throwUncaught(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
