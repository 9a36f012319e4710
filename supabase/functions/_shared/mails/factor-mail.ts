/** Second factor event that the owner is mailed about. */
export type FactorEvent = "factor-on" | "factor-off" | "recovery-code" | "wrong-codes";

/**
 * Tells the owner of an account what happened with its second factor; as other mails about accounts, without a link.
 * @param host of the site
 * @param at in words
 */
export function factorMail(kind: FactorEvent, host: string, at: string): { subject: string; body: string } {
  const { subject, what, otherwise } = words[kind];
  return {
    subject: `${subject} for the admin area of ${host}`,
    body: `${what} for the admin area of ${host}.

Time: ${at}

If it was you, you need do nothing.

${otherwise}
`,
  };
}

const reset =
  "If it was not you, somebody else has your password. Ask the person who runs the website to reset your second step and to set a new password at once, which ends every session of your account.";

const words: Record<FactorEvent, { subject: string; what: string; otherwise: string }> = {
  "factor-on": {
    subject: "Second step set up",
    what: "A code from an authenticator app was set up as the second step of signing in to your account",
    otherwise: reset,
  },
  "factor-off": {
    subject: "Second step turned off",
    what: "The second step of signing in to your account was turned off",
    otherwise: reset,
  },
  "recovery-code": {
    subject: "Recovery code used",
    what: "One of your recovery codes was used, which turned off the second step of signing in to your account",
    otherwise: `${reset} Your other recovery codes may be in the same hands: make new ones.`,
  },
  "wrong-codes": {
    subject: "Five wrong codes",
    what: "Five wrong codes were entered as the second step of signing in to your account",
    otherwise:
      "If it was not you, somebody else knows your password, though not your codes. Sign in to the admin area, open Account, and change your password at once: that ends all other sessions of your account.",
  },
};
