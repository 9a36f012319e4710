/** Second factor event that the owner is notified of by mail. */
export type FactorEvent = "factor-on" | "factor-off" | "recovery-code" | "wrong-codes";

/**
 * Notifies the owner of an account of a second factor event. Contains no link, as all mails about accounts.
 * @param host of the site
 * @param at in words
 */
export function factorMail(kind: FactorEvent, host: string, at: string): { subject: string; body: string } {
  const { subject, what, otherwise } = words[kind];
  return {
    subject: `${subject} for the admin area of ${host}`,
    body: `${what} for the admin area of ${host}.

Time: ${at}

If this was you, you don't need to do anything.

${otherwise}
`,
  };
}

const reset =
  "If this was not you, someone else has your password. Ask the person who runs the website to reset your two-step verification and set a new password right away, which ends every session of your account.";

const words: Record<FactorEvent, { subject: string; what: string; otherwise: string }> = {
  "factor-on": {
    subject: "Two-step verification set up",
    what: "A code from an authenticator app was set up for two-step verification of your account",
    otherwise: reset,
  },
  "factor-off": {
    subject: "Two-step verification turned off",
    what: "Two-step verification was turned off for your account",
    otherwise: reset,
  },
  "recovery-code": {
    subject: "Recovery code used",
    what: "One of your recovery codes was used, which turned off two-step verification for your account",
    otherwise: `${reset} They may have your other recovery codes, too: create new ones.`,
  },
  "wrong-codes": {
    subject: "Five wrong codes",
    what: "Five wrong codes were entered while signing in to your account",
    otherwise:
      "If this was not you, someone else knows your password, but not your codes. Sign in to the admin area, open Account, and change your password right away: that ends all other sessions of your account.",
  },
};
