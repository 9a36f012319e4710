import { type CookieFact, type CookieLifetime, cookies as registry } from "~/content/facts";
import { getSettings } from "../config/settings.server";

const cookies: Record<keyof typeof registry, CookieFact> = registry;
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

/** The cookie's name on the wire: `__Host-` ties it to this very host and to https (RFC 6265bis, section 4.1.3.2). */
export function cookieName(key: CookieKey): string {
  return (getSettings().isHttps ? "__Host-" : "") + cookies[key].name;
}

/** The attributes of a registered cookie, its lifetime included. */
export function cookieAttributes(key: CookieKey): CookieAttributes {
  const lifetime = cookieLifetime(key);
  return {
    path: "/",
    httpOnly: true,
    secure: getSettings().isHttps,
    sameSite: "lax",
    ...(lifetime === "session" ? {} : { maxAge: lifetime }),
  };
}

/** How long a registered cookie lives: as the registry says, but an admin's session as the settings say. */
export function cookieLifetime(key: CookieKey): CookieLifetime {
  return key === "adminSession" ? getSettings().sessionLimits.longestSeconds : cookies[key].lifetime;
}
