import { parseCookie, stringifySetCookie } from "cookie";
import { type CookieFact, type CookieLifetime, cookies as registry } from "~/content/cookie-registry";
import type { HasHeaders } from "~/lib/http/header-reader";
import type { Settings } from "../config/settings.server";

const facts: Record<keyof typeof registry, CookieFact> = registry;
/** Which cookie of the registry. */
export type CookieKey = keyof typeof registry;

/** Attributes that every cookie of this site shares. */
export interface CookieAttributes {
  path: "/";
  httpOnly: true;
  secure: boolean;
  // Lax, not Strict: who follows a link from a mail must still be signed in.
  sameSite: "lax";
  maxAge?: number;
}

/** The registered cookies of this site, as its settings make them. */
export interface Cookies {
  /** the name on the wire: `__Host-` ties it to this very host and to https (RFC 6265bis, section 4.1.3.2) */
  name(key: CookieKey): string;
  attributes(key: CookieKey): CookieAttributes;
  /** how long it lives: as the registry says, but an admin's session as the settings say */
  lifetime(key: CookieKey): CookieLifetime;
  /** its value, or null when the request has none */
  find(request: HasHeaders, key: CookieKey): string | null;
  /**
   * The `Set-Cookie` value that sets it.
   * @param value only characters that a cookie may hold as they are (RFC 6265, section 4.1.1)
   */
  serialize(key: CookieKey, value: string): string;
  /** The `Set-Cookie` value that removes it. */
  remove(key: CookieKey): string;
}

/** @param settings with https, cookies are `Secure` and have `__Host-` names */
export function createCookies({ isHttps, sessionLimits }: Pick<Settings, "isHttps" | "sessionLimits">): Cookies {
  const keys = Object.keys(facts) as CookieKey[];
  const names = Object.fromEntries(keys.map((key) => [key, (isHttps ? "__Host-" : "") + facts[key].name]));
  const beginnings = Object.fromEntries(keys.map((key) => [key, `${names[key]}=`]));
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
      // A browser may send a hundred other cookies, and a page looks for several of ours: it need not read them all each time.
      const beginning = beginnings[key] as string;
      const pair = findPair(request.headers.get("cookie") ?? "", beginning);
      // Ours hold nothing that is written with escapes; whoever has changed one gets it read as any other.
      if (pair === null || !pair.includes("%")) return pair?.slice(beginning.length).trim() ?? null;
      return parseCookie(pair)[name(key)] ?? null;
    },
    serialize: (key, value) => stringifySetCookie(name(key), value, { ...attributes(key), encode: (text) => text }),
    remove: (key) => stringifySetCookie(name(key), "", { ...attributes(key), maxAge: 0 }),
  };
}

/** The first `name=value` of a `Cookie` header that begins so. */
function findPair(header: string, beginning: string): string | null {
  let at = header.indexOf(beginning);
  while (at !== -1) {
    let before = at - 1;
    while (header[before] === " ") before -= 1;
    if (before === -1 || header[before] === ";") {
      const end = header.indexOf(";", at);
      return header.slice(at, end === -1 ? undefined : end);
    }
    at = header.indexOf(beginning, at + 1);
  }
  return null;
}

/** All cookies that a request carries, by name; of two with the same name the first. */
export function readCookies(request: HasHeaders): ReadonlyMap<string, string> {
  const cookies = Object.entries(parseCookie(request.headers.get("cookie") ?? ""));
  return new Map(cookies.map(([name, value]) => [name, value ?? ""]));
}
