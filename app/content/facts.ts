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

/** The cookie registry: cookies are set from it, and the cookie policy's table is rendered from it. */
export const cookies = {
  flash: {
    name: "flash",
    purpose: "Carries one message, such as “Message Sent!”, to the next page and is then removed.",
    category: "necessary",
    setBy: "site",
    lifetime: minute,
  },
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
      "Lets a device that signed in before sign in again while strangers try passwords. Visitors never receive it.",
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

/** The firm answers a contact message within this time (REQUIREMENTS 3.5). */
export const replyWithinHours = 24;

/** How long personal data is kept (REQUIREMENTS 10). */
export const retention = {
  contactSubmissionYears: 2,
  /** at most; a withdrawn consent ends it sooner */
  consentRecordYears: 2,
  /** after the withdrawal, which stays provable for that long */
  withdrawnConsentDays: 30,
  /** of the refusal that a browser's signal made, which holds no user agent and a number that nobody was told */
  signalRecordDays: 30,
  /** of the internet address of the machine that a message came from */
  senderAddressDays: 30,
  /** after they were closed */
  closedRequestYears: 3,
  /** after their request was closed: so long the link works that shows it */
  statusLinkDays: 90,
  /** after they were due */
  unconfirmedRequestDays: 30,
  /** after delivery */
  mailDays: 30,
  /** so long delivery is tried before it is given up */
  mailAttemptDays: 5,
  /** of what proves that all this was done; it names no visitor */
  recordYears: 3,
  analyticsMonths: 26,
  analyticsAnonymizedAfterMonths: 14,
} as const;

/** What one client may do before it is told to wait; only what stands against abuse, never against somebody in a hurry. */
export const clientLimits = {
  /** in which posts and visits of links are counted */
  windowMinutes: 10,
  /** pages that a secret link opens, in that time; how many forms it may send is a setting */
  linkVisits: 30,
  /** an IPv6 /48 may do as much as so many clients */
  clientsPerNetwork: 4,
} as const;

/**
 * How many acknowledgements the site sends, so that nobody can flood a stranger's mailbox through its forms. The database
 * keeps to them (migration "rate_limits"; a test compares).
 */
export const acknowledgementLimits = {
  /** so long is kept what was sent on behalf of a client, by its code */
  countedHours: 24,
  perMailboxAndDay: 3,
  perClientAndDay: 5,
  /** an IPv6 /48 */
  perNetworkAndDay: 5 * clientLimits.clientsPerNetwork,
  /** unless the operator sets ACKNOWLEDGEMENTS_PER_HOUR */
  perHour: 60,
} as const;

/** When a data-rights request is answered (REQUIREMENTS 5.4; GDPR Article 12(3) sets the outer limit). */
export const dataRightsDeadline = {
  responseDays: 30,
  /** added once in complex cases, with a reason given within `responseDays` */
  extensionDays: 60,
} as const;

/** So long before it ends a person is told that the restriction of their data will end (GDPR Article 18(3)). */
export const restrictionNoticeDays = 7;

/** So long the person behind an answered request can fetch their data through its status link. */
export const packageDays = 7;

/** Nobody younger is addressed by the site (REQUIREMENTS 6.4). */
export const minimumAgeYears = 18;

/** Liability ends at the fees paid in this time before the claim (REQUIREMENTS 6.2). */
export const liabilityCapMonths = 12;

/** Where the General Data Protection Regulation, (EU) 2016/679, says what the policies rely on. */
export const gdprArticles = {
  consent: "6(1)(a)",
  legalObligation: "6(1)(c)",
  legitimateInterests: "6(1)(f)",
  withdrawal: "7(3)",
  deadline: "12(3)",
  identity: "12(6)",
  access: "15",
  rectification: "16",
  erasure: "17",
  restriction: "18",
  portability: "20",
  objection: "21",
  complaint: "77",
  representative: "27",
} as const;

/** What obliges the firm to hear complaints, and gives everybody in the United Kingdom the right to make them. */
export const complaintsLaw = "section\u00a0164A of the UK Data Protection Act 2018";
