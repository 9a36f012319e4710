import { RelationNotFoundError, type VarsContext } from "@supabase/lite";
import { PgliteConnection } from "@supabase/lite/pglite";
import { databaseOptions } from "../folder/database.ts";
import { keepExitCodeSync } from "../folder/exit-code.ts";
import { commitInMemory } from "./group-commit.ts";
import { type BackendLog, stackWithoutMessage } from "../log.ts";
import type { LibraryUse } from "./library-names.ts";
import { PostgrestError, toPostgrestError } from "./postgrest-error.ts";
import { SqlError, throwWithoutParameters, toSqlError } from "./sql-error.ts";

/** lite's connection to PGlite, with PostgREST's error responses and without lite's grants and error output. */
export class EmbeddedConnection extends PgliteConnection {
  readonly #log: BackendLog;
  /** names of the methods replaced here that lite has called */
  readonly used = new Set<LibraryUse>();

  constructor(folder: string, log: BackendLog) {
    super({ url: folder, pgliteOptions: databaseOptions });
    this.#log = log;
    // lite's method grants ALL on every table to anon and authenticated, undoing each REVOKE. Returning true keeps the
    // part that is needed: every request runs under its own role. (Private in lite's types, hence not `override`.)
    Object.defineProperty(this, "ensureRlsContext", { value: this.#enforceRoles });
    // lite's two methods send eleven statements before each request's own; each replacement sends one.
    Object.defineProperty(this, "applyJwtSessionContext", { value: this.#setCaller });
    Object.defineProperty(this, "applyRpcRequestGucs", { value: this.#setCall });
    const execute = this.driver.execProtocolRawSync.bind(this.driver);
    this.driver.execProtocolRawSync = (message) => keepExitCodeSync(() => execute(message));
    // Every statement passes here, including those that begin and end a transaction. After a panic PGlite sends one
    // more, which hangs.
    const send = this.driver.execProtocolStream.bind(this.driver);
    this.driver.execProtocolStream = (...call) => send(...call).catch(throwWithoutParameters);
  }

  /** Grants nothing, and makes lite run each request under its own role. */
  readonly #enforceRoles = async (): Promise<boolean> => {
    this.used.add("ensureRlsContext");
    return true;
  };

  /**
   * Sets the caller's claims for policies and functions, and the role, until the transaction ends. The transaction
   * commits in memory: the gateway waits for a flush before it responds.
   */
  readonly #setCaller = async (_transaction: unknown, variables: VarsContext): Promise<void> => {
    this.used.add("applyJwtSessionContext");
    const { uid, jwt } = (variables.auth ?? {}) as { uid?: unknown; jwt?: unknown };
    const claims = typeof jwt === "object" && jwt !== null ? JSON.stringify(jwt) : null;
    await this.driver.query(
      `select set_config('request.jwt.claim.sub', $1, true), set_config('request.jwt.claim.role', $2, true),
         set_config('request.jwt.claims', $3, true), ${commitInMemory}, set_config('role', $2, true)`,
      [String(uid ?? ""), roleOf(variables), claims],
    );
  };

  /** Sets the request's data for functions, and clears the settings in which functions return status and headers. */
  readonly #setCall = async (_transaction: unknown, { method, path, requestHeaders }: RpcCall): Promise<void> => {
    this.used.add("applyRpcRequestGucs");
    await this.driver.query(
      `select set_config('response.status', '', true), set_config('response.headers', '', true),
         set_config('request.method', $1, true), set_config('request.path', $2, true),
         set_config('request.headers', $3, true)`,
      [method, path, JSON.stringify(requestHeaders ?? {})],
    );
  };

  /** Does the same as lite's method, but neither prints the statement nor quotes it in an error. */
  override async exec<T = { rows: unknown[] } | void>(statement: string): Promise<T> {
    try {
      const results = await this.driver.exec(statement);
      return { rows: results[0]?.rows ?? [] } as T;
    } catch (error) {
      throw toSqlError(error);
    }
  }

  /** Runs a REST request under its role. Converts its database errors here, where the role is known. */
  override async withContext<T>(...context: WithContext<T>): Promise<T> {
    this.used.add("withContext");
    try {
      return await super.withContext<T>(...context);
    } catch (error) {
      // "PGRST" marks a function's own response (RAISE SQLSTATE 'PGRST'), which lite builds.
      if (!(error instanceof SqlError) || error.code === "PGRST") throw error;
      this.#report(error);
      throw toPostgrestError(error, roleOf(context[0]));
    }
  }

  /**
   * Throws a response for an error that lite does not handle. lite prints the return value, so nothing is returned.
   * @throws PostgrestError always, except for RAISE SQLSTATE 'PGRST'
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
    // 53100: disk_full (PostgreSQL, Appendix A). Nothing can be stored until an operator frees space.
    const remedy =
      code === "53100" ? ({ level: "error", remedy: "free some space on the data folder's disk" } as const) : {};
    this.#log({ event: "embedded.sql-error", code, table, constraint, ...remedy });
  }
}

interface RpcCall {
  method: string;
  path: string;
  requestHeaders?: Record<string, string>;
}

type WithContext<T> = Parameters<typeof PgliteConnection.prototype.withContext<T>>;

/**
 * Messages of lite's parser for a query string that it cannot parse. This is a client error, and the message may quote
 * the client.
 */
const unparsable =
  /Expected identifier|Invalid filter|Unexpected input|Un(?:supported|known) operator|failed to parse|^Expected .+ at position \d+$|^Expected "\("/;

function roleOf(variables: VarsContext | undefined): string {
  const auth = variables?.auth;
  return auth && typeof auth === "object" && "role" in auth && auth.role ? String(auth.role) : "anon";
}
