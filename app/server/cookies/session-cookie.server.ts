import { z } from "zod";
import type { HasHeaders } from "~/lib/http/header-reader";
import { readCookies } from "./cookies.server";

/** An admin's session in the cookies of a request. */
export interface SessionCookie {
  /** JSON of the tokens alone, in the library's format; null when no cookie holds a valid session */
  session: string | null;
  /** names of the cookies that hold it, or pretend to; at most six */
  names: string[];
}

/** The library splits a session into cookies of 3,180 characters, and the edge limits all cookies to 8 kB. */
const chunks = [0, 1, 2, 3, 4];
const maxLength = 8_192;
const prefix = "base64-";

/**
 * A session's tokens: a JWT (RFC 7519), the refresh token (12 or 22 characters, or about 60 when signed; its column
 * holds 255), and the expiry in seconds since 1970. The library also stores the user, which the site ignores: for each
 * request, the authentication service identifies the user.
 */
const sessionSchema = z.object({
  access_token: z.string().regex(/^[\w-]+\.[\w-]+\.[\w-]+$/),
  refresh_token: z.string().regex(/^[\w-]{8,255}$/),
  expires_at: z.int().positive(),
});

/**
 * Reads the admin's session before any library does. Rejects values that this site cannot have written: the library
 * would log long complaints, or try to parse them for seconds.
 * @param name of the session's cookie, without a chunk number
 */
export function readSessionCookie(request: HasHeaders, name: string): SessionCookie {
  const chunkNames = chunks.map((chunk) => `${name}.${chunk}`);
  const values = readCookies(request);
  const names = [name, ...chunkNames].filter((known) => values.has(known));
  const end = chunkNames.findIndex((chunk) => !values.get(chunk));
  const joined = chunkNames.slice(0, end === -1 ? undefined : end).map((chunk) => values.get(chunk));
  return { session: parseSession(values.get(name) || joined.join("")), names };
}

function parseSession(value: string): string | null {
  if (!value.startsWith(prefix) || value.length > maxLength) return null;
  const encoded = value.slice(prefix.length);
  if (!/^[\w-]+$/.test(encoded)) return null;
  try {
    const parsed = sessionSchema.safeParse(JSON.parse(Buffer.from(encoded, "base64url").toString("utf8")));
    return parsed.success ? JSON.stringify(parsed.data) : null;
  } catch {
    return null;
  }
}
