import { readClaims } from "./postgres/json-web-token.ts";

/** A role without a person, or a person (the claims of the token). */
export type Caller = "anon" | "service_role" | { token: string };

/** Replaces `$1`, `$2`… by quoted parameters. */
export function fillIn(query: string, parameters: unknown[] = []): string {
  return query.replaceAll(/\$(\d+)/g, (_, index) => quote(parameters[Number(index) - 1]));
}

/**
 * Returns statements that run a query with the role and the claims of a caller, as PostgREST does. PostgreSQL runs them
 * in one transaction when they arrive in one message, so the settings end with it, in an error also.
 */
export function asCaller(who: Caller, query: string, parameters?: unknown[]): string {
  const claims = typeof who === "string" ? { role: who } : readClaims(who.token);
  const settings = [
    ["request.jwt.claims", claims],
    ...Object.entries(claims).map(([name, claim]) => [`request.jwt.claim.${name}`, claim]),
    ["role", claims.role],
  ].map((setting) => fillIn("set_config($1, $2, true)", setting));
  return `select ${settings.join()}; ${fillIn(query, parameters)}`;
}

function quote(value: unknown): string {
  if (value === null || value === undefined) return "null";
  return `'${(typeof value === "object" ? JSON.stringify(value) : String(value)).replaceAll("'", "''")}'`;
}
