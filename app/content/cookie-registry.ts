/** Lifetime of a cookie: the browser's session, or a number of seconds. */
export type CookieLifetime = "session" | number;

/**
 * The part of the site that sets a cookie: `site` itself; `consent-choice` when a visitor or a browser signal decides
 * about cookies; `analytics` only after a visitor has allowed it.
 */
export type CookieSource = "site" | "consent-choice" | "analytics";

/** A cookie that this site may set. The site sets no other cookies. */
export interface CookieFact {
  /** name in the header; on https, our own names get the prefix `__Host-` */
  name: string;
  purpose: string;
  category: "necessary" | "analytics";
  setBy: CookieSource;
  /** for cookies that Google's script sets: the maximum */
  lifetime: CookieLifetime;
}

const minute = 60;
const day = 24 * 60 * minute;
const year = 365 * day;
const month = year / 12;

/**
 * Seconds after which consent expires and the banner appears again, also for visitors who closed it. A refusal stands
 * for the lifetime of its cookie. (The French and Irish authorities recommend half a year.)
 */
export const consentHoldsFor = 6 * month;

/**
 * Seconds that Google's cookies live after each page. Pages in the last month of a consent are not measured, so that
 * the cookies never outlive the consent.
 */
export const analyticsCookiesLive = month;

/** The cookie registry. The site sets cookies from it, and the cookie policy renders its table from it. */
export const cookies = {
  adminSession: {
    name: "admin-session",
    purpose: "Keeps the firm’s own staff signed in to the admin area. Visitors never receive it.",
    category: "necessary",
    setBy: "site",
    // The default of the setting ADMIN_SESSION_HOURS.
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

/** Analytics and advertising cookies that are removed unless they are allowed (REQUIREMENTS 4.6). */
export const clearedCookies = {
  analytics: ["_ga", "_gid", "_gat", "__utma", "__utmb", "__utmc", "__utmz"],
  /** one cookie per property, whose id or name follows `_ga_` or `_gat_` */
  analyticsPrefixes: ["_ga_", "_gat_"],
  marketing: ["_gcl_au", "_fbp", "_fbq"],
} as const;

/**
 * Entries of the pages with forms in the browser's session storage, which ends with the tab and is never sent to us.
 */
export const sessionStorageEntries = {
  /** written by Remix's ScrollRestoration */
  scrollPositions: "positions",
  /** written by Remix when a page is older than the server, so that it reloads only once */
  pageVersion: "remix-manifest-version",
} as const;

/**
 * Version of the consent text. A new version asks every visitor again (REQUIREMENTS 4.8). The text is in
 * content/privacy/consent.ts; a test fails if it changes without a new version.
 */
export const consentVersion = "1.0";

/**
 * Date since which the site has handled Global Privacy Control as it does now (published in `/.well-known/gpc.json`).
 */
export const gpcSupportedSince = "2026-11-21";
