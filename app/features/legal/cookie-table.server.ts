import { type CookieFact, type CookieLifetime, type CookieSource, cookies } from "~/content/facts";
import { cookieTableWords } from "~/content/privacy/legal-words";
import type { CookieKey } from "~/server/cookies/cookies.server";
import type { SiteContext } from "~/server/site-context.server";

/** Cookies that the same part of the site sets. */
export interface CookieGroup {
  title: string;
  state: string;
  cookies: { name: string; purpose: string; lifetime: string }[];
}

/** The registry as the cookie policy shows it, under the names that a visitor finds in their own browser. */
export function listCookies({
  settings,
  cookies: registered,
}: Pick<SiteContext, "settings" | "cookies">): CookieGroup[] {
  return (Object.keys(cookieTableWords.groups) as CookieSource[]).map((source) => ({
    title: cookieTableWords.groups[source],
    state: isInUse(settings, source) ? cookieTableWords.inUse : cookieTableWords.notInUse,
    cookies: (Object.keys(cookies) as CookieKey[])
      .map((key) => ({ key, cookie: cookies[key] as CookieFact }))
      .filter(({ cookie }) => cookie.setBy === source)
      .map(({ key, cookie }) => ({
        // Google's script names its own cookies; the prefix belongs to ours.
        name: source === "analytics" ? cookie.name : registered.name(key),
        purpose: cookie.purpose,
        lifetime: lifetimeInWords(registered.lifetime(key)),
      })),
  }));
}

/** Analytics runs only where the operator has named a property; what else is registered always may be set. */
export function isInUse({ gaMeasurementId }: SiteContext["settings"], source: CookieSource): boolean {
  return source !== "analytics" || gaMeasurementId !== undefined;
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/**
 * A cookie's lifetime as people say it. One day is "24 hours", as in REQUIREMENTS 4.9.
 * @param lifetime whole minutes, in seconds
 */
export function lifetimeInWords(lifetime: CookieLifetime): string {
  if (lifetime === "session") return cookieTableWords.session;
  if (lifetime % year === 0) return count(lifetime / year, "year");
  if (lifetime % day === 0 && lifetime > day) return count(lifetime / day, "day");
  if (lifetime % hour === 0) return count(lifetime / hour, "hour");
  return count(lifetime / minute, "minute");
}

function count(amount: number, unit: string): string {
  return `${amount} ${unit}${amount === 1 ? "" : "s"}`;
}
