import { durationInWords } from "~/lib/duration-in-words";
import { consentHoldsFor, consentVersion } from "../cookie-registry";

const asksAgainAfter = durationInWords(consentHoldsFor);

/** Texts if the firm uses Google Analytics. */
const inUse = {
  banner:
    "May Google Analytics count your visit? Google would set cookies here and learn which pages you read. You can withdraw a yes as easily as you give it, under “Cookie preferences”.",
  analytics: `Lets us count visits with Google Analytics and see which pages are useful. Google receives your IP address and which page you read. Its cookies end with your consent, after ${asksAgainAfter} at most.`,
};

/** Texts if the firm does not use it: the site then asks for no consent. */
const notInUse = {
  banner: "Only cookies that this site needs. No analytics, no advertising.",
  analytics:
    "Not in use: this site has no analytics. Allowing it sets nothing. If that ever changes, we ask you again.",
};

/**
 * Writes every text that asks for consent to cookies or states the decision (REQUIREMENTS 4).
 * @param analyticsInUse the operator has set a Google Analytics property
 */
function write(analyticsInUse: boolean) {
  const used = analyticsInUse ? inUse : notInUse;
  return {
    version: consentVersion,
    banner: {
      title: "Cookies on this site",
      text: used.banner,
      policy: { label: "Cookie policy", path: "/cookie-policy" },
      accept: "Accept All",
      reject: "Reject All",
      customize: "Customize",
      close: "Close",
    },
    dialog: {
      title: "Privacy & Cookie Preferences",
      lead: "Choose what this site may keep in your browser. You can change your mind at any time, as easily as you choose now.",
      functional: {
        label: "Functional",
        text: "Always on. The site needs these cookies to do what you ask, such as remembering this choice.",
      },
      analytics: { label: "Analytics", text: used.analytics },
      marketing: {
        label: "Marketing",
        text: "Not in use: this site has no advertising. Allowing it sets nothing. If that ever changes, we ask you again.",
      },
      links: [
        { label: "Your data rights", path: "/data-rights" },
        { label: "Privacy Policy", path: "/privacy-policy" },
      ],
      cancel: "Cancel",
      reject: "Reject All",
      save: "Save Preferences",
    },
    signal: {
      text: "Your browser asks sites not to track you, and we honor that opt-out signal: unless you allow more under “Cookie preferences”, we set only the cookies that the site needs.",
    },
  };
}

/** The consent texts of a site, with or without analytics in use. */
export type ConsentWords = ReturnType<typeof write>;

const words = { inUse: write(true), notInUse: write(false) };

/**
 * Returns the consent texts of a site.
 * @param analyticsInUse as in `consentView`; consent to one variant of the texts does not count for the other
 */
export function consentWords(analyticsInUse: boolean): ConsentWords {
  return analyticsInUse ? words.inUse : words.notInUse;
}

/** Changes in each version after the first, shown to visitors who decided under an earlier one. */
export const consentChanges: Readonly<Record<string, string>> = {};

/** Texts about the present decision. They are not part of the consent text. */
export const choiceWords = {
  open: "Manage Cookie Preferences",
  footer: "Cookie preferences",
  none: "You haven’t chosen yet. Until you do, we set nothing that needs your consent.",
  details: "See when you chose and our record of it",
  /** `at`: includes a date in words */
  made: {
    present: "You have chosen:",
    at: (date: string, version: string) => `Your choice of ${date}, under version ${version} of this text:`,
  },
  signalled: {
    present: "We took your browser’s signal as your choice:",
    at: (date: string, version: string) =>
      `We took your browser’s signal as your choice on ${date}, under version ${version} of this text:`,
  },
  allowed: "allowed",
  refused: "not allowed",
  askedAgain: {
    text: "You chose before, under an earlier version of this text. It has changed, so we ask again.",
    time: `You agreed more than ${asksAgainAfter} ago, so we ask again. Until you choose, your earlier consent does not count.`,
  },
  unsent: "Your choice did not reach us. Check your connection and try again.",
  /** replaces the banner after any of its buttons; text browsers show it before and after, so it is true in each case */
  answered: "Only what you allow is used. Choose or change that under “Cookie preferences” at the foot of the page.",
} as const;

/** Texts about a consent record, shown to the visitor whose browser has its id. */
export const recordWords = {
  title: "Our record of your choices",
  number: (number: string) => `Its number, which your browser keeps: ${number}`,
  browser: (userAgent: string | null) =>
    userAgent === null ? "It does not name your browser." : `Your browser, as it names itself: ${userAgent}`,
  sources: { banner: "in the banner", dialog: "in the preferences", signal: "by your browser’s signal" },
  decision: (made: Record<"at" | "analytics" | "marketing" | "source" | "version" | "textHash", string>) =>
    `${made.at}, ${made.source}: analytics ${made.analytics}, marketing ${made.marketing}. Version ${made.version} of the text, SHA-256 ${made.textHash}.`,
  unavailable: "We cannot show it right now. Try again later.",
  erasing: "You can delete it now. This also deletes your choice, so we will ask you again.",
  erase: "Delete My Record",
} as const;
