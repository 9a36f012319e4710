import { consentVersion } from "../facts";

/**
 * Every word that asks for consent to cookies, or tells what was decided (REQUIREMENTS 4). They hold whether or not the
 * firm has switched analytics on, because the same version of the words must mean the same everywhere.
 */
export const consentWords = {
  version: consentVersion,
  banner: {
    title: "Cookies on this site",
    text: "The site sets the cookies that it needs to work. May we also count visits (analytics) and measure advertising (marketing)? Nothing of that happens unless you agree, and everything works without it.",
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
      text: "Always on. Without these cookies the site cannot do what you ask of it, such as remembering this choice or showing that your message was sent, so they cannot be switched off.",
    },
    analytics: {
      label: "Analytics",
      text: "Lets us count visits with Google Analytics and see which pages are useful. Its cookies stay for up to two years.",
    },
    marketing: {
      label: "Marketing",
      text: "Would let us measure whether advertising led to a visit. The site has no advertising, so today this sets nothing.",
    },
    links: [
      { label: "Your data rights", path: "/data-rights" },
      { label: "Privacy Policy", path: "/privacy-policy" },
    ],
    cancel: "Cancel",
    save: "Save Preferences",
  },
  signal: {
    text: "Your browser asks sites not to track you. We honour that: only cookies that the site needs are set.",
    change: "You can allow more under “Cookie preferences” here.",
  },
} as const;

/** What changed with each version after the first, shown when somebody who chose under an older one is asked again. */
export const consentChanges: Readonly<Record<string, string>> = {};

/** Words about the present choice; they are no part of what is consented to. */
export const choiceWords = {
  open: "Manage Cookie Preferences",
  footer: "Cookie preferences",
  none: "You have not chosen yet. Until you do, nothing that needs your consent is set.",
  details: "See when you chose",
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
  askedAgain: "You chose before under an earlier version of this text, which has changed, so we ask again.",
  unsent: "Your choice did not reach us. Check your connection and try again.",
} as const;
