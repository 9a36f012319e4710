import { durationInWords } from "~/lib/duration-in-words";
import { consentHoldsFor, consentVersion } from "../cookie-registry";

const asksAgainAfter = durationInWords(consentHoldsFor);

/** What the texts say where the firm uses Google Analytics. */
const inUse = {
  banner:
    "This site sets the cookies that it needs to work. May we also count visits with Google Analytics? Google would then set cookies here and learn which pages you read. Everything works without it, and you can take back a yes as easily as you gave it, under “Cookie preferences”.",
  analytics: `Lets us count visits with Google Analytics and see which pages are useful. Google receives your IP address and which page you read. Its cookies end with your consent, after ${asksAgainAfter} at most.`,
};

/** What they say where it uses none: nobody is asked for what nobody needs. */
const notInUse = {
  banner:
    "This site sets only the cookies that it needs to work. It uses no analytics and no advertising, so there is nothing to agree to today. Your answer is kept all the same. Should we ever want more, we ask you first.",
  analytics:
    "Not in use: this site has no analytics. Allowing it sets nothing, and should we ever want to use it, we ask you again.",
};

/**
 * Every word that asks for consent to cookies, or tells what was decided (REQUIREMENTS 4).
 * @param analyticsInUse the operator has set a property of Google Analytics
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
        text: "Always on. Without these cookies the site cannot do what you ask of it, such as remembering this choice, so they cannot be switched off.",
      },
      analytics: { label: "Analytics", text: used.analytics },
      marketing: {
        label: "Marketing",
        text: "Not in use: this site has no advertising. Allowing it sets nothing and tells nobody anything, and should that change, we ask you again.",
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
      text: "Your browser asks sites not to track you. We honor that opt-out signal: unless you allow more under “Cookie preferences” here, only the cookies that the site needs are set.",
    },
  };
}

/** The words of one site: {@link consentWords} where analytics is in use, and where it is not. */
export type ConsentWords = ReturnType<typeof write>;

const words = { inUse: write(true), notInUse: write(false) };

/** @param analyticsInUse as in `findConsentView`: a yes to the words of the one kind is none to those of the other */
export function consentWords(analyticsInUse: boolean): ConsentWords {
  return analyticsInUse ? words.inUse : words.notInUse;
}

/** What changed with each version after the first, shown when somebody who chose under an older one is asked again. */
export const consentChanges: Readonly<Record<string, string>> = {};

/** Words about the present choice; they are no part of what is consented to. */
export const choiceWords = {
  open: "Manage Cookie Preferences",
  footer: "Cookie preferences",
  none: "No choice of yours holds at present. Until you make one, nothing that needs your consent is set.",
  details: "See when you chose, and our record of it",
  /** `at`: with a date in words */
  made: {
    present: "You have chosen:",
    at: (date: string, version: string) => `Your choice of ${date}, under version ${version} of this text:`,
  },
  signalled: {
    present: "Your browser’s signal was taken as your choice:",
    at: (date: string, version: string) =>
      `Your browser’s signal was taken as your choice on ${date}, under version ${version} of this text:`,
  },
  allowed: "allowed",
  refused: "not allowed",
  askedAgain: {
    text: "You chose before, under an earlier version of this text. It has changed, so we ask again.",
    time: `You agreed more than ${asksAgainAfter} ago, so we ask again. Until you answer, nothing of that holds.`,
  },
  unsent: "Your choice did not reach us. Check your connection and try again.",
  /** for screen readers, once the question is gone from the page */
  answered: "Thank you. The question about cookies is closed.",
} as const;

/** Words about the record of a choice, shown to whoever holds its number. */
export const recordWords = {
  title: "Our record of your choices",
  number: (number: string) => `Its number, which your browser keeps: ${number}`,
  browser: (userAgent: string | null) =>
    userAgent === null ? "It does not say which browser you use." : `Your browser, as it names itself: ${userAgent}`,
  sources: { banner: "in the banner", dialog: "in the preferences", signal: "by your browser’s signal" },
  decision: (made: Record<"at" | "analytics" | "marketing" | "source" | "version" | "textHash", string>) =>
    `${made.at}, ${made.source}: analytics ${made.analytics}, marketing ${made.marketing}. Version ${made.version} of the text, SHA-256 ${made.textHash}.`,
  unavailable: "We cannot show it right now. Try again later.",
  erasing: "You can have it deleted at once. Your choice goes with it, so we ask you again.",
  erase: "Delete My Record",
} as const;
