import type { Company } from "../firm/company-facts";
import { type CookieSource } from "../cookie-registry";
import { gdprArticles } from "../facts";

/** Labels that the legal pages share. */
export const legalWords = { contents: "Contents", version: "Version", lastUpdated: "Last updated" };

const article = `Article\u00a0${gdprArticles.representative} GDPR`;

/** Returns sentences about the firm's representatives where it has no establishment; an empty list if it has none. */
export function representativeSentences({ europeanUnion, unitedKingdom }: Company["representatives"]): string[] {
  return [
    ...(europeanUnion ? [`Our representative in the European Union (${article}): ${europeanUnion}.`] : []),
    ...(unitedKingdom ? [`Our representative in the United Kingdom (${article} there): ${unitedKingdom}.`] : []),
  ];
}

/** Returns a sentence that names the firm's processors; an empty list if it has named none. */
export function processorSentences(processors: Company["processors"]): string[] {
  return processors.length > 0 ? [`At present these process data on our behalf: ${processors.join(", ")}.`] : [];
}

/**
 * The part of a contact message that reaches the firm's mailbox, in the privacy policy, by the setting MAIL_CONTENT.
 */
export const mailToUsWords = {
  full: "a copy to our mailbox",
  notice: "a notice to our mailbox, which quotes nothing of it",
} as const;

/** The cookie policy's paragraph about the banner, by the settings CONSENT_BANNER and GA_MEASUREMENT_ID. */
export const askingWords = {
  /** @param holds time until the banner appears again, in words */
  asks: (holds: string) =>
    `On your first visit a banner asks you. Refusing is as easy as agreeing. Closing the banner is not an answer: nothing is allowed then, and you are not asked again for ${holds}.`,
  asksNot:
    "At present this website uses nothing that needs your consent, so no banner asks you. Should that change, you are asked first. You can say what you want all the same, in the preferences.",
};

/** Labels of the cookie policy's table. `notInUse` follows the title of a group whose cookies are not set. */
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
