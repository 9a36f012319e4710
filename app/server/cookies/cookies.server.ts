import { parseCookie, stringifySetCookie } from "cookie";
import { type CookieFact, type CookieLifetime, cookies as registry } from "~/content/cookie-registry";
import type { HasHeaders } from "~/lib/http/header-reader";
import type { Settings } from "../config/settings.server";

const facts: Record<keyof typeof registry, CookieFact> = registry;
/** Key of a cookie in the registry. */
export type CookieKey = keyof typeof registry;

/** Attributes that every cookie of this site shares. */
export interface CookieAttributes {
  path: "/";
  httpOnly: true;
  secure: boolean;
  // Lax, not Strict: an admin who arrives from an email link must still be signed in.
  sameSite: "lax";
  maxAge?: number;
}

/** The registered cookies, adapted to the site's settings. */
export interface Cookies {
  /** Returns the name on the wire: `__Host-` binds it to this host and to HTTPS (RFC 6265bis, section 4.1.3.2). */
  name(key: CookieKey): string;
  attributes(key: CookieKey): CookieAttributes;
  /** Returns the lifetime from the registry; for an admin's session, the one from the settings. */
  lifetime(key: CookieKey): CookieLifetime;
  /** Finds the value; null when the request has none. */
  find(request: HasHeaders, key: CookieKey): string | null;
  /**
   * Builds the `Set-Cookie` value that sets it.
   * @param value only characters that need no escaping in a cookie (RFC 6265, section 4.1.1)
   */
  serialize(key: CookieKey, value: string): string;
  /** Builds the `Set-Cookie` value that removes it. */
  remove(key: CookieKey): string;
}

/** @param settings with HTTPS, cookies are `Secure` and have `__Host-` names */
export function createCookies({ isHttps, sessionLimits }: Pick<Settings, "isHttps" | "sessionLimits">): Cookies {
  const keys = Object.keys(facts) as CookieKey[];
  const names = Object.fromEntries(keys.map((key) => [key, (isHttps ? "__Host-" : "") + facts[key].name]));
  const prefixes = Object.fromEntries(keys.map((key) => [key, `${names[key]}=`]));
  const name = (key: CookieKey) => names[key] as string;
  const lifetime = (key: CookieKey) => (key === "adminSession" ? sessionLimits.maxSeconds : facts[key].lifetime);
  const attributes = (key: CookieKey): CookieAttributes => {
    const seconds = lifetime(key);
    const shared = { path: "/", httpOnly: true, secure: isHttps, sameSite: "lax" } as const;
    return seconds === "session" ? shared : { ...shared, maxAge: seconds };
  };
  return {
    name,
    lifetime,
    attributes,
    find(request, key) {
      // Do not parse the whole header: it may hold a hundred other cookies, and a page reads several of ours.
      const prefix = prefixes[key] as string;
      const pair = findPair(request.headers.get("cookie") ?? "", prefix);
      // Our values are never escaped; parse edited ones fully.
      if (pair === null || !pair.includes("%")) return pair?.slice(prefix.length).trim() ?? null;
      return parseCookie(pair)[name(key)] ?? null;
    },
    serialize: (key, value) => stringifySetCookie(name(key), value, { ...attributes(key), encode: (text) => text }),
    remove: (key) => stringifySetCookie(name(key), "", { ...attributes(key), maxAge: 0 }),
  };
}

/** Finds the first `name=value` of a `Cookie` header that starts with this prefix. */
function findPair(header: string, prefix: string): string | null {
  let at = header.indexOf(prefix);
  while (at !== -1) {
    let before = at - 1;
    while (header[before] === " ") before -= 1;
    if (before === -1 || header[before] === ";") {
      const end = header.indexOf(";", at);
      return header.slice(at, end === -1 ? undefined : end);
    }
    at = header.indexOf(prefix, at + 1);
  }
  return null;
}

/** Reads all cookies of a request, by name; the first wins if two share a name. */
export function readCookies(request: HasHeaders): ReadonlyMap<string, string> {
  const cookies = Object.entries(parseCookie(request.headers.get("cookie") ?? ""));
  return new Map(cookies.map(([name, value]) => [name, value ?? ""]));
}
