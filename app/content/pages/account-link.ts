import { clientLimits } from "../facts";
import type { ErrorPageCopy } from "../error-pages";

/** Purpose of an account link. */
export type LinkPurpose = "invitation" | "new-password";

/** All texts of the page behind an account link. */
export const accountLinkPage = {
  title: "Choose a Password",
  leads: {
    invitation: (email: string) =>
      `You have been invited to be an admin. Choose a password for your account, ${email}, and then sign in with it.`,
    "new-password": (email: string) =>
      `Choose a new password for your account, ${email}, and then sign in with it. Wherever you are signed in now, you will be signed out.`,
  } satisfies Record<LinkPurpose, (email: string) => string>,
  fields: {
    password: {
      label: "New password",
      hint: "At least 12 characters. Take one from a password manager, or four words that have nothing to do with each other.",
    },
    repeated: { label: "New password again" },
  },
  submit: "Set password",
  mistakes: {
    password: "Enter a new password",
    repeated: "Enter the new password a second time, exactly as before",
  },
} as const;

/** Links on the page for an account link that does not work. */
export const accountLinkWays = [
  { label: "Send me a new link", path: "/login/forgotten" },
  { label: "Sign in", path: "/login" },
] as const;

/** Error pages for account links, by HTTP status. Unknown, used and expired links share one page. */
export const accountLinkProblems: Partial<Record<number, ErrorPageCopy>> = {
  404: {
    title: "This link no longer works",
    text: "A link to choose a password works once, and for a short time. If you have used it, sign in with your password. If you forgot it, have a new link sent. If you were invited, ask for another invitation.",
  },
  429: {
    title: "Too many requests",
    text: `Your link still works, and nothing has changed. Links were opened too many times from your internet connection: wait ${clientLimits.windowMinutes}\u00a0minutes and try again.`,
  },
  503: {
    title: "We can’t look this up right now",
    text: "Something went wrong on our side, and your password has not changed. Your link still works: open it again in a minute.",
  },
};
