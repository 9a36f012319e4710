import { randomUUID } from "node:crypto";
import { digestOfToken } from "#supabase/functions/_shared/secret-token.ts";
import { call } from "./admin.ts";
import { readClaims } from "./postgres/json-web-token.ts";
import { setRows } from "./retention.ts";
import type { Person, TestBackend } from "./test-backend.ts";

/** Returns the id of a person's session. */
export const sessionOf = ({ token }: Person): string => String(readClaims(token)["session_id"]);

/** Adds a second factor. @returns its id */
export async function addFactor({ sql }: TestBackend, { id }: Person, status: "unverified" | "verified") {
  const factor = randomUUID();
  const insert = `insert into auth.mfa_factors (id, user_id, factor_type, status, secret)
    values ($1, $2, 'totp', $3, 'x') returning id`;
  await sql(insert, [factor, id, status]);
  return factor;
}

/** Adds a second factor and verifies it, as the authentication service does with its first code. @returns its id */
export async function verifyFactor(backend: TestBackend, person: Person): Promise<string> {
  const factor = await addFactor(backend, person, "unverified");
  await setRows(backend, "auth.mfa_factors", factor, "status = 'verified'");
  return factor;
}

/** Enters a code, by default of another session. */
export async function enterCode(
  { service }: TestBackend,
  use: "use_recovery_code" | "use_setup_code",
  { id: person }: Person,
  code: string,
  own_session: string = randomUUID(),
) {
  return call(service, use, { person, code_digest: await digestOfToken(code), own_session });
}
