import { clientLimits } from "../facts";
import { type ErrorPageCopy, errorPages } from "../error-pages";

/** Purpose of an account link. */
export type LinkPurpose = "invitation" | "new-password";

/** All texts of the page behind an account link. */
export const accountLinkPage = {
  title: "Choose a password",
  leads: {
    invitation: (email: string) =>
      `You have been invited as an admin. Choose a password for ${email}, then sign in with it.`,
    "new-password": (email: string) =>
      `Choose a new password for ${email}, then sign in with it. This signs you out everywhere.`,
  } satisfies Record<LinkPurpose, (email: string) => string>,
  fields: {
    password: {
      label: "New password",
      hint: "At least 12 characters. Use a password manager, or four unrelated words.",
    },
    repeated: { label: "Confirm new password" },
  },
  submit: "Set password",
  mistakes: {
    password: "Enter a new password",
    repeated: "Enter the same new password again",
  },
} as const;

/** Links on the page for an account link that does not work. */
export const accountLinkWays = [
  { label: "Send me a new link", path: "/login/forgotten" },
  { label: "Sign in", path: "/login" },
] as const;

/** Error pages for account links, by HTTP status. Unknown, used and expired links share one page. */
export const accountLinkProblems: Partial<Record<number, ErrorPageCopy>> = {
  ...errorPages,
  404: {
    title: "This link no longer works",
    text: "Password links work once and expire. If you already used it, sign in with your password. If you forgot your password, send yourself a new link. If you were invited, ask for a new invitation.",
  },
  429: {
    title: "Too many requests",
    text: `Your link still works, and nothing has changed. Too many links were opened from your internet connection. Wait ${clientLimits.windowMinutes}\u00a0minutes and try again.`,
  },
  503: {
    title: "We can’t look this up right now",
    text: "Something went wrong on our side. Open your link again in a minute. If you have just chosen a password and the link no longer works, sign in with it.",
  },
};
