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
export type Cookies = ReturnType<typeof createCookies>;

/** @param settings with HTTPS, cookies are `Secure` and have `__Host-` names */
export function createCookies({ isHttps, sessionLimits }: Pick<Settings, "isHttps" | "sessionLimits">) {
  const keys = Object.keys(facts) as CookieKey[];
  const names = Object.fromEntries(keys.map((key) => [key, (isHttps ? "__Host-" : "") + facts[key].name]));
  const name = (key: CookieKey) => names[key] as string;
  const lifetime = (key: CookieKey): CookieLifetime =>
    key === "adminSession" ? sessionLimits.maxSeconds : facts[key].lifetime;
  const find = (request: HasHeaders, key: CookieKey) => readCookies(request).get(name(key)) ?? null;
  const attributes = (key: CookieKey): CookieAttributes => {
    const seconds = lifetime(key);
    const shared = { path: "/", httpOnly: true, secure: isHttps, sameSite: "lax" } as const;
    return seconds === "session" ? shared : { ...shared, maxAge: seconds };
  };
  const remove = (key: CookieKey) => stringifySetCookie(name(key), "", { ...attributes(key), maxAge: 0 });
  return {
    /** Returns the name on the wire: `__Host-` binds it to this host and to HTTPS (RFC 6265bis, section 4.1.3.2). */
    name,
    /** Returns the lifetime from the registry; for an admin's session, the one from the settings. */
    lifetime,
    attributes,
    /** Finds the value; null when the request has none. */
    find,
    /**
     * Builds the `Set-Cookie` value that sets it.
     * @param value only characters that need no escaping in a cookie (RFC 6265, section 4.1.1)
     */
    serialize: (key: CookieKey, value: string): string =>
      stringifySetCookie(name(key), value, { ...attributes(key), encode: (text) => text }),
    /** Builds the `Set-Cookie` value that removes it. */
    remove,
    /**
     * Builds the `Set-Cookie` values that remove what an admin searched for, mostly people's names and addresses: it
     * ends with the session. None when the request has no search.
     */
    dropSearch: (request: HasHeaders): string[] =>
      find(request, "adminSearch") === null ? [] : [remove("adminSearch")],
  };
}

/** Reads all cookies of a request, by name; the first wins if two share a name. */
export function readCookies(request: HasHeaders): ReadonlyMap<string, string> {
  const cookies = Object.entries(parseCookie(request.headers.get("cookie") ?? ""));
  return new Map(cookies.map(([name, value]) => [name, value ?? ""]));
}
