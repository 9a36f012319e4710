/** How long a cookie lives: with the browser's session, or this many seconds. */
export type CookieLifetime = "session" | number;

/**
 * The part of the site that sets a cookie: `site` itself; `consent-choice` when a visitor answers the question about
 * cookies, or their browser's signal does; `analytics` only after a visitor has allowed it.
 */
export type CookieSource = "site" | "consent-choice" | "analytics";

/** One cookie that this site may set. The site sets no cookie that is not listed here. */
export interface CookieFact {
  /** the name on the wire; `__Host-` stands before our own names when the site runs on https */
  name: string;
  purpose: string;
  category: "necessary" | "analytics";
  setBy: CookieSource;
  /** of what Google's script sets: at most */
  lifetime: CookieLifetime;
}

const minute = 60;
const day = 24 * 60 * minute;
const year = 365 * day;
const month = year / 12;

/**
 * After so many seconds a visitor who allowed something is asked again, and one who closed the question is asked once more. A
 * refusal stands for as long as its cookie lives. (Half a year is what the French and Irish authorities recommend.)
 */
export const consentHoldsFor = 6 * month;

/**
 * Seconds that Google's cookies live from each page on. A consent's last month is not measured, so that they end no later
 * than the consent.
 */
export const analyticsCookiesLive = month;

/** The cookie registry: cookies are set from it, and the cookie policy's table is rendered from it. */
export const cookies = {
  adminSession: {
    name: "admin-session",
    purpose: "Keeps the firm’s own staff signed in to the admin area. Visitors never receive it.",
    category: "necessary",
    setBy: "site",
    // Unless the setting ADMIN_SESSION_HOURS says otherwise.
    lifetime: day,
  },
  adminSearch: {
    name: "admin-search",
    purpose: "Holds what the firm’s own staff searched for in the admin area. Visitors never receive it.",
    category: "necessary",
    setBy: "site",
    lifetime: "session",
  },
  knownDevice: {
    name: "known-device",
    purpose:
      "Lets a device that signed in before sign in again while strangers try passwords, and tells it from a new one. Visitors never receive it.",
    category: "necessary",
    setBy: "site",
    lifetime: year,
  },
  consentPreference: {
    name: "cookie-consent",
    purpose:
      "Remembers which kinds of cookies you allowed, when, on which text, and the number of the record that proves it, so that you can change your mind later. Where your browser’s signal chose for you, it holds the day and no number.",
    category: "necessary",
    setBy: "consent-choice",
    lifetime: 2 * year,
  },
  consentBanner: {
    name: "cookie-banner",
    purpose: "Remembers that you closed the question about cookies without an answer, so that it stays closed.",
    category: "necessary",
    setBy: "consent-choice",
    lifetime: consentHoldsFor,
  },
  consentSession: {
    name: "session-id",
    purpose:
      "Holds a random number that ties the choice that you made about cookies to its record. It does not name you. A signal of your browser sets none.",
    category: "necessary",
    setBy: "consent-choice",
    lifetime: "session",
  },
  googleAnalytics: {
    name: "_ga",
    purpose: "Tells visitors apart in Google Analytics, so that visits can be counted.",
    category: "analytics",
    setBy: "analytics",
    lifetime: 2 * year,
  },
  googleAnalyticsProperty: {
    name: "_ga_*",
    purpose: "Keeps the state of one visit in Google Analytics. The star stands for the number of our property there.",
    category: "analytics",
    setBy: "analytics",
    lifetime: 2 * year,
  },
  googleAnalyticsDay: {
    name: "_gid",
    purpose:
      "Told visitors apart in older versions of Google Analytics. The present one does not set it; it is listed because it is removed where you do not allow analytics.",
    category: "analytics",
    setBy: "analytics",
    lifetime: day,
  },
} as const satisfies Record<string, CookieFact>;

/** Analytics and advertising cookies that are removed wherever they are not allowed (REQUIREMENTS 4.6). */
export const clearedCookies = {
  analytics: ["_ga", "_gid", "_gat", "__utma", "__utmb", "__utmc", "__utmz"],
  /** one a property: `_ga_` and `_gat_` are followed by its number or name */
  analyticsPrefixes: ["_ga_", "_gat_"],
  marketing: ["_gcl_au", "_fbp", "_fbq"],
} as const;

/** What the pages with forms keep in the browser's session storage: it ends with the tab and is never sent to us. */
export const sessionStorageEntries = {
  /** written by Remix's ScrollRestoration */
  scrollPositions: "positions",
  /** written by Remix when a page is older than the server, so that it reloads once and not for ever */
  pageVersion: "remix-manifest-version",
} as const;

/**
 * The version of the words that a visitor consents to; a new one asks again (REQUIREMENTS 4.8). The words are those of
 * content/privacy/consent.ts, which no longer match the fingerprint that a test keeps once they are changed.
 */
export const consentVersion = "1.0";

/** Since when the site has treated Global Privacy Control as it does now (its `/.well-known/gpc.json` says so). */
export const gpcSupportedSince = "2026-11-21";
