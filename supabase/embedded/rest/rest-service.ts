import type { PGlite } from "@electric-sql/pglite";
import type { BackendLog } from "../log.ts";
import type { Secrets } from "../secrets.ts";
import { respondWithError, respondToSqlError } from "../session/postgrest-error.ts";
import { reportFailure, SqlError } from "../session/sql-error.ts";
import { TokenRefused, type Tokens } from "../tokens.ts";
import { type Caller, identify, readCredentials, refuseKey } from "./callers.ts";
import type { FunctionCatalog, SqlFunction } from "./function-catalog.ts";
import { type FunctionCall, readCall } from "./read-call.ts";

/** Dependencies of the REST API. */
export interface RestParts {
  database: PGlite;
  catalog: FunctionCatalog;
  secrets: Secrets;
  tokens: Tokens;
  log: BackendLog;
}

/**
 * Prepares `/rest/v1/rpc/<function>`, the only path of the REST API, with PostgREST's statuses, bodies and headers
 * (docs.postgrest.org, "Functions as RPC"; compared in tests/embedded/referee.test.ts).
 * @param request its body is read already
 * @param body the body's text
 * @returns a function that runs the call; it must have the database to itself
 */
export function prepareRestCall(parts: RestParts, request: Request, body: string): () => Promise<Response> {
  const credentials = readCredentials(request.headers, parts.secrets);
  const call = readCall(request, body);
  if (!credentials) return async () => refuseKey(request.headers);
  if (call instanceof Response) return async () => call;
  // Verified while earlier calls run.
  const caller = identify(credentials, parts.tokens);
  caller.catch(() => undefined);
  return async () => {
    try {
      return await runCall(parts, await caller, call);
    } catch (error) {
      if (error instanceof TokenRefused) return refuseToken(error);
      reportFailure(error, parts.log);
      return respondToFailure(error, (await caller).role);
    }
  };
}

async function runCall({ database, catalog }: RestParts, caller: Caller, call: FunctionCall): Promise<Response> {
  const called = await catalog.find(call.name, call.given);
  if (!called) return refuseUnknown(call);
  const mayWrite = called.isVolatile && call.method === "POST";
  const rows = await database.transaction(async (transaction) => {
    await transaction.query(beginning(mayWrite), [caller.claims, call.headers, call.method, call.path, caller.role]);
    const { rows: results } = await transaction.query<Result>(writeQuery(call, called), [call.json]);
    if (call.wantsOneRow && called.isSet && results[0]?.n !== 1) await transaction.rollback();
    return results;
  });
  await database.exec(endOfCall);
  return respond(call, called, rows[0] ?? { n: 0, body: null });
}

interface Result {
  n: number;
  body: string | null;
}

/**
 * Sets, until the transaction ends, what policies and functions read and the caller's role. No `statement_timeout`:
 * PGlite has no timer that could interrupt a statement, and a statement blocks the thread.
 */
function beginning(mayWrite: boolean): string {
  return `
    select set_config('request.jwt.claims', $1, true), set_config('request.headers', $2, true),
      set_config('request.method', $3, true), set_config('request.path', $4, true),
      ${mayWrite ? "" : "set_config('transaction_read_only', 'on', true),"} set_config('role', $5, true)`;
}

/** Ends what a function has set beyond its transaction, which would else hold for the next caller. */
const endOfCall = "set session authorization postgres; reset all";

/**
 * Writes PostgREST's query: PostgreSQL converts the values, and writes the JSON of the result. Names come from the
 * catalog, never from the request; the request's JSON is the only parameter. For `list(page integer)`, which returns
 * rows:
 *
 * ```sql
 * select count(*)::int as n, (coalesce(json_agg(found), '[]'))::text as body
 * from (
 *   select result.* from json_to_record($1::json) as given ("page" integer),
 *     lateral public."list"("page" => given."page") as result
 * ) as found
 * ```
 */
function writeQuery({ name, given, wantsOneRow }: FunctionCall, called: SqlFunction): string {
  const parameters = called.parameters.filter((parameter) => given.includes(parameter.name));
  const columns = parameters.map((parameter) => `${quote(parameter.name)} ${parameter.type}`);
  const passed = parameters.map((parameter) => `${quote(parameter.name)} => given.${quote(parameter.name)}`);
  const source =
    columns.length > 0 ? `json_to_record($1::json) as given (${columns.join()})` : "(select $1::json) as given";
  const result = called.isRow ? "result.*" : "result.value";
  const json = `json_agg(${called.isRow ? "found" : "found.value"})`;
  const body = called.isSet && !wantsOneRow ? `coalesce(${json}, '[]')` : `${json} -> 0`;
  return `
    select count(*)::int as n, ${called.isVoid ? "null" : `(${body})::text`} as body
    from (
      select ${result} from ${source}, lateral public.${quote(name)}(${passed.join()}) as result${called.isRow ? "" : " (value)"}
    ) as found`;
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function respond({ wantsOneRow }: FunctionCall, { isSet, isVoid }: SqlFunction, { n, body }: Result): Response {
  if (wantsOneRow && isSet && n !== 1) {
    const details = `The result contains ${n} rows`;
    return respondWithError(406, "PGRST116", "JSON object requested, multiple (or no) rows returned", { details });
  }
  const range = { "content-range": n === 0 ? "*/*" : `0-${n - 1}/*` };
  if (isVoid) return new Response(null, { status: 204, headers: range });
  const type = `application/${wantsOneRow ? "vnd.pgrst.object+json" : "json"}; charset=utf-8`;
  return new Response(body ?? "null", { headers: { ...range, "content-type": type } });
}

function refuseUnknown({ name, method, given }: FunctionCall): Response {
  const called = `public.${name}`;
  const list = given.toSorted().join(", ");
  const words = given.length === 0 ? "without parameters" : `with parameter${given.length > 1 ? "s" : ""} ${list}`;
  const orJson = method === "POST" ? " or with a single unnamed json/jsonb parameter" : "";
  return respondWithError(
    404,
    "PGRST202",
    `Could not find the function ${called}${given.length > 0 ? `(${list})` : ` ${words}`} in the schema cache`,
    {
      details: `Searched for the function ${called} ${words}${orJson}, but no matches were found in the schema cache.`,
    },
  );
}

function refuseToken({ hasExpired }: TokenRefused): Response {
  const message = hasExpired ? "JWT expired" : "JWSError JWSInvalidSignature";
  const refusal = respondWithError(401, "PGRST301", message);
  refusal.headers.set("www-authenticate", `Bearer error="invalid_token", error_description="${message}"`);
  return refusal;
}

function respondToFailure(error: unknown, role: string): Response {
  return error instanceof SqlError
    ? respondToSqlError(error, role)
    : respondWithError(500, "PGRSTX00", "internal error");
}
