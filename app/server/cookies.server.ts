import { type CookieFact, cookies } from "~/content/facts";
import { getSettings } from "./settings.server";

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
export function cookieName(key: keyof typeof cookies): string {
  return (getSettings().isHttps ? "__Host-" : "") + cookies[key].name;
}

/** The attributes of a registered cookie, its lifetime included. */
export function cookieAttributes(key: keyof typeof cookies): CookieAttributes {
  const { lifetime }: CookieFact = cookies[key];
  return {
    path: "/",
    httpOnly: true,
    secure: getSettings().isHttps,
    sameSite: "lax",
    ...(lifetime === "session" ? {} : { maxAge: lifetime }),
  };
}
