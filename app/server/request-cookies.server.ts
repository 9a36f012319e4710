import { parseCookie, stringifySetCookie } from "cookie";
import type { HasHeaders } from "~/lib/header-reader";
import { type CookieKey, cookieAttributes, cookieName } from "./cookies.server";

/** All cookies that a request carries, by name; of two with the same name the first. */
export function readCookies(request: HasHeaders): ReadonlyMap<string, string> {
  const cookies = Object.entries(parseCookie(request.headers.get("cookie") ?? ""));
  return new Map(cookies.map(([name, value]) => [name, value ?? ""]));
}

/** The value of a registered cookie, or null when the request has none. */
export function findCookie(request: HasHeaders, key: CookieKey): string | null {
  const name = cookieName(key);
  // A browser may send a hundred other cookies, and a page looks for several of ours: it need not read them all each time.
  if (!request.headers.get("cookie")?.includes(`${name}=`)) return null;
  return readCookies(request).get(name) ?? null;
}

/**
 * The `Set-Cookie` value of a registered cookie.
 * @param value only characters that a cookie may hold as they are (RFC 6265, section 4.1.1)
 */
export function serializeCookie(key: CookieKey, value: string): string {
  return stringifySetCookie(cookieName(key), value, { ...cookieAttributes(key), encode: (text) => text });
}

/** The `Set-Cookie` value that removes a registered cookie. */
export function removeCookie(key: CookieKey): string {
  return stringifySetCookie(cookieName(key), "", { ...cookieAttributes(key), maxAge: 0 });
}
