import type { SqlError } from "./sql-error.ts";

/** Responds in the form of PostgREST's errors. */
export function respondWithError(
  status: number,
  code: string,
  message: string,
  { details = null, hint = null }: { details?: string | null; hint?: string | null } = {},
): Response {
  const headers = new Headers({ "content-type": "application/json; charset=utf-8" });
  if (status === 401) headers.set("www-authenticate", "Bearer");
  return new Response(JSON.stringify({ code, details, hint, message }), { status, headers });
}

/** Converts a database error to PostgREST's response, for a caller with this role. */
export function respondToSqlError(error: SqlError, role: string): Response {
  const { code, message, detail, hint } = error;
  return respondWithError(statusOf(error, role), code, message, { details: detail, hint });
}

/** Maps SQLSTATE to HTTP status as PostgREST does (docs.postgrest.org, References, Errors). */
function statusOf({ code }: SqlError, role: string): number {
  if (code === "42501") return role === "anon" ? 401 : 403;
  if (/^PT[2-5]\d\d$/.test(code)) return Number(code.slice(2));
  return statusOfCode[code] ?? statusOfClass[code.slice(0, 2)] ?? 400;
}

const statusOfCode: Record<string, number> = {
  "21000": 500,
  "23503": 409,
  "23505": 409,
  "25006": 405,
  "42883": 404,
  "42P01": 404,
  "42P17": 500,
  "53400": 500,
  "57P01": 503,
  P0001: 400,
};

const statusOfClass: Record<string, number> = {
  "08": 503,
  "0L": 403,
  "0P": 403,
  "28": 403,
  "53": 503,
  "54": 413,
  ...Object.fromEntries("09 25 2D 38 39 3B 40 55 57 58 F0 HV P0 PT XX".split(" ").map((name) => [name, 500])),
};
