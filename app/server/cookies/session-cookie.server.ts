import { z } from "zod";
import type { HasHeaders } from "~/lib/http/header-reader";
import { readCookies } from "./cookies.server";

/** What a request's cookies hold of an admin's session. */
export interface SessionCookie {
  /** JSON of the tokens alone, as the library stores a session; null when there is none that can be one */
  session: string | null;
  /** names of the cookies that it is kept in, or that pretend to; at most six */
  names: string[];
}

/** The library cuts a session into cookies of 3,180 characters, and no request brings more than 8 kB of them. */
const chunks = [0, 1, 2, 3, 4];
const longest = 8_192;
const prefix = "base64-";

/**
 * A session's tokens: a JWT (RFC 7519), the refresh token (12 or 22 characters, or some 60 that are signed; its column
 * takes 255), and seconds since 1970. The library stores the user beside them, whom nobody here reads: each request asks
 * the authentication service who it is.
 */
const sessionSchema = z.object({
  access_token: z
    .string()
    .max(longest)
    .regex(/^[\w-]+\.[\w-]+\.[\w-]+$/),
  refresh_token: z.string().regex(/^[\w-]{8,255}$/),
  expires_at: z.int().positive(),
});

/**
 * Reads the admin's session before any library sees it. What cannot be one was not written by this site, and a library
 * that is given it complains at length, or tries for seconds to make something of it.
 * @param name of the session's cookie, without the number of a chunk
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
  if (!value.startsWith(prefix) || value.length > longest) return null;
  const encoded = value.slice(prefix.length);
  if (!/^[\w-]+$/.test(encoded)) return null;
  try {
    const parsed = sessionSchema.safeParse(JSON.parse(Buffer.from(encoded, "base64url").toString("utf8")));
    return parsed.success ? JSON.stringify(parsed.data) : null;
  } catch {
    return null;
  }
}
