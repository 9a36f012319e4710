import { RelationNotFoundError, type VarsContext } from "@supabase/lite";
import { PgliteConnection } from "@supabase/lite/pglite";
import { databaseOptions } from "./folder/database.ts";
import { keepExitCodeSync } from "./folder/exit-code.ts";
import { type BackendLog, stackWithoutMessage } from "./log.ts";
import { PostgrestError, toPostgrestError } from "./postgrest-error.ts";
import { SqlError, toSqlError } from "./sql-error.ts";

/** lite's connection to PGlite, with PostgREST's answers to errors and without lite's own grants and error prints. */
export class EmbeddedConnection extends PgliteConnection {
  readonly #log: BackendLog;

  constructor(folder: string, log: BackendLog) {
    super({ url: folder, pgliteOptions: databaseOptions });
    this.#log = log;
    // As shipped it grants ALL on every table to anon and authenticated, undoing each REVOKE. Answering true keeps
    // the part that is wanted: every request runs under its own role. (Private in lite's types, hence not `override`.)
    Object.defineProperty(this, "ensureRlsContext", { value: async () => true });
    const execute = this.driver.execProtocolRawSync.bind(this.driver);
    this.driver.execProtocolRawSync = (message) => keepExitCodeSync(() => execute(message));
    const query = this.driver.query.bind(this.driver);
    this.driver.query = <T>(...call: Parameters<typeof query<T>>) => query<T>(...call).catch(throwWithoutParameters);
  }

  /** As lite's, but the statement is neither printed nor quoted in the error. */
  override async exec<T = { rows: unknown[] } | void>(statement: string): Promise<T> {
    try {
      const results = await this.driver.exec(statement);
      return { rows: results[0]?.rows ?? [] } as T;
    } catch (error) {
      throw toSqlError(error);
    }
  }

  /** Runs a REST request under its role; here, where the role is known, its database errors get their answer. */
  override async withContext<T>(...context: WithContext<T>): Promise<T> {
    try {
      return await super.withContext<T>(...context);
    } catch (error) {
      // "PGRST" is a function's own answer (RAISE SQLSTATE 'PGRST'), which lite composes.
      if (!(error instanceof SqlError) || error.code === "PGRST") throw error;
      this.#report(error);
      throw toPostgrestError(error, roleOf(context[0]));
    }
  }

  /**
   * lite calls this with every error that it has no answer for, and prints what it returns; so nothing is returned.
   * @throws PostgrestError always, but for RAISE SQLSTATE 'PGRST'
   */
  override normalizeDbError(error: unknown): unknown {
    if (error instanceof PostgrestError) throw error;
    if (error instanceof SqlError) {
      if (error.code === "PGRST") return error;
      this.#report(error);
      throw toPostgrestError(error, "anon");
    }
    if (error instanceof RelationNotFoundError) {
      throw new PostgrestError(404, { code: "PGRST205", message: error.message, details: null, hint: null });
    }
    if (error instanceof Error && unparsable.test(error.message)) {
      throw new PostgrestError(400, { code: "PGRST100", message: error.message, details: null, hint: null });
    }
    this.#log({
      event: "embedded.rest-error",
      class: error instanceof Error ? error.name : typeof error,
      stack: stackWithoutMessage(error),
    });
    throw new PostgrestError(500, { code: "PGRSTX00", message: "internal error", details: null, hint: null });
  }

  #report({ code, table, constraint }: SqlError): void {
    this.#log({ event: "embedded.sql-error", code, table, constraint });
  }
}

function throwWithoutParameters(error: unknown): never {
  throw toSqlError(error);
}

type WithContext<T> = Parameters<typeof PgliteConnection.prototype.withContext<T>>;

/** How lite's parser words a query string that it cannot read; a client's mistake, and it may quote the client. */
const unparsable =
  /Expected identifier|Invalid filter|Unexpected input|Un(?:supported|known) operator|failed to parse|^Expected .+ at position \d+$|^Expected "\("/;

function roleOf(variables: VarsContext | undefined): string {
  const auth = variables?.auth;
  return auth && typeof auth === "object" && "role" in auth ? String(auth.role) : "anon";
}
