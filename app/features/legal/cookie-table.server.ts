import { type CookieFact, type CookieLifetime, type CookieSource, cookies } from "~/content/cookie-registry";
import { cookieTableWords } from "~/content/privacy/legal-words";
import { durationInWords } from "~/lib/duration-in-words";
import type { CookieKey } from "~/server/cookies/cookies.server";
import type { SiteContext } from "~/server/site-context.server";

/** Lists the registry for the cookie policy, under the names that visitors see in their browser. */
export function listCookies({ settings, cookies: registered }: Pick<SiteContext, "settings" | "cookies">) {
  return (Object.keys(cookieTableWords.groups) as CookieSource[]).map((source) => ({
    title: cookieTableWords.groups[source],
    state: isInUse(settings, source) ? cookieTableWords.inUse : cookieTableWords.notInUse,
    cookies: (Object.keys(cookies) as CookieKey[])
      .map((key) => ({ key, cookie: cookies[key] as CookieFact }))
      .filter(({ cookie }) => cookie.setBy === source)
      .map(({ key, cookie }) => ({
        // Google's script names its own cookies. The prefix belongs to ours.
        name: source === "analytics" ? cookie.name : registered.name(key),
        purpose: cookie.purpose,
        lifetime: lifetimeInWords(registered.lifetime(key), source),
      })),
  }));
}

/**
 * Returns true if this source can set cookies. Analytics runs only if the operator has set a property; all other
 * registered sources always can.
 */
export function isInUse({ gaMeasurementId }: SiteContext["settings"], source: CookieSource): boolean {
  return source !== "analytics" || gaMeasurementId !== undefined;
}

/** Formats a lifetime in words. Google's cookies end with the consent, which may be sooner than their own lifetime. */
export function lifetimeInWords(lifetime: CookieLifetime, source: CookieSource): string {
  if (lifetime === "session") return cookieTableWords.session;
  const words = durationInWords(lifetime);
  return source === "analytics" ? cookieTableWords.atMost(words) : words;
}
