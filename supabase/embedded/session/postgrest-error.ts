import type { SqlError } from "./sql-error.ts";

interface ErrorBody {
  code: string;
  message: string;
  details: string | null;
  hint: string | null;
}

/**
 * An error that provides its own response. lite's router (Hono) calls a thrown error's `getResponse()` first, so
 * neither lite's status mapping nor its `console.error` of the whole error runs.
 */
export class PostgrestError extends Error {
  override readonly name = "PostgrestError";
  readonly status: number;
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody) {
    super(`${status} ${body.code}`);
    this.status = status;
    this.body = body;
  }

  getResponse(): Response {
    const headers = new Headers({ "content-type": "application/json; charset=utf-8" });
    if (this.status === 401) headers.set("www-authenticate", "Bearer");
    return new Response(JSON.stringify(this.body), { status: this.status, headers });
  }
}

/** Converts a database error to PostgREST's error, for a caller with this role. */
export function toPostgrestError(error: SqlError, role: string): PostgrestError {
  const { code, message, detail, hint } = error;
  return new PostgrestError(statusOf(error, role), { code, message, details: detail, hint });
}

/** Maps SQLSTATE to HTTP status as PostgREST does (docs.postgrest.org, References, Errors). */
function statusOf({ code, message }: SqlError, role: string): number {
  if (code === "42501") return role === "anon" ? 401 : 403;
  if (code === "21000") return message.endsWith("requires a WHERE clause") ? 400 : 500;
  if (/^PT[2-5]\d\d$/.test(code)) return Number(code.slice(2));
  return statusOfCode[code] ?? statusOfClass[code.slice(0, 2)] ?? 400;
}

const statusOfCode: Record<string, number> = {
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
  "09": 500,
  "0L": 403,
  "0P": 403,
  "25": 500,
  "28": 403,
  "2D": 500,
  "38": 500,
  "39": 500,
  "3B": 500,
  "40": 500,
  "53": 503,
  "54": 500,
  "55": 500,
  "57": 500,
  "58": 500,
  F0: 500,
  HV: 500,
  P0: 500,
  PT: 500,
  XX: 500,
};
