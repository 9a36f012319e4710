import type { CookieSource } from "../facts";

/** The words that the legal pages share, beside their texts. */
export const legalWords = { contents: "Contents", version: "Version", lastUpdated: "Last updated" };

/** What reaches the firm's mailbox of a contact message, in the privacy policy, by the setting MAIL_CONTENT. */
export const mailToUsWords = {
  full: "a copy to our mailbox",
  notice: "a notice to our mailbox, which quotes nothing of it",
} as const;

/** The words of the cookie policy's table; `notInUse` follows a group's title while nothing sets its cookies. */
export const cookieTableWords = {
  caption: "Cookies by kind",
  columns: { name: "Name", purpose: "Purpose", lifetime: "Duration" },
  session: "Until you close the browser",
  atMost: (period: string) => `${period} at most`,
  notInUse: "Not in use today",
  inUse: "In use",
  groups: {
    site: "Necessary: set by the website itself",
    "consent-choice": "Necessary: set only when you, or a signal of your browser, make a choice about cookies",
    analytics: "Analytics: set only after you have allowed it",
  } satisfies Record<CookieSource, string>,
};
