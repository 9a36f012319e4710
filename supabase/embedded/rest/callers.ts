import { createHash, timingSafeEqual } from "node:crypto";
import type { Secrets } from "../secrets.ts";
import { type Tokens, TokenRefused } from "../tokens.ts";

/** Roles of the API. The database decides what each may do. */
export type Role = "anon" | "authenticated" | "service_role";

/** Sender of a request to the database. */
export interface Caller {
  role: Role;
  /** JSON for policies and functions, as `request.jwt.claims` */
  claims: string;
}

/** Credentials of a request, with their key's role. */
export interface Credentials {
  role: "anon" | "service_role";
  /** a token in the `Authorization` header that is no key */
  token: string | null;
}

/**
 * Returns the credentials that the headers offer, or null without a key of this project.
 *
 * As at a hosted project's gateway, `apikey` must be one of the two keys. A key repeated in `Authorization` says nothing
 * more; anything else there is a person's token, which decides, or the request is refused: also the secret key beside
 * the publishable one.
 */
export function readCredentials(headers: Headers, { publishableKey, secretKey }: Secrets): Credentials | null {
  const offered = headers.get("apikey") ?? "";
  const role = isSame(offered, secretKey) ? "service_role" : isSame(offered, publishableKey) ? "anon" : null;
  if (role === null) return null;
  const token = readBearer(headers);
  return { role, token: token === offered || token === publishableKey ? null : token };
}

/** Returns the token of the `Authorization` header, or null. */
export function readBearer(headers: Headers): string | null {
  return /^Bearer +(\S.*)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? null;
}

/**
 * Decides the caller: a person's token overrides the key.
 * @throws TokenRefused
 */
export async function identify({ role, token }: Credentials, tokens: Tokens): Promise<Caller> {
  if (token === null) return { role, claims: JSON.stringify({ role }) };
  const claims = await tokens.verify(token);
  // No token of another role is ever signed here.
  if (claims["role"] !== "authenticated") throw new TokenRefused("token has another role");
  return { role: "authenticated", claims: JSON.stringify(claims) };
}

function isSame(offered: string, expected: string): boolean {
  return timingSafeEqual(digest(offered), digest(expected));
}

function digest(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

/** Response to a request without a key of this project. */
export function refuseKey(headers: Headers): Response {
  const message = headers.get("apikey") ? "Invalid API key" : "No API key found in request";
  return Response.json({ message }, { status: 401 });
}
