/** All texts of the second factor page, and the error messages for codes and repeated passwords on every page. */
export const secondFactorPages = {
  challenge: {
    title: "Enter your code",
    description: "Two-step verification for admins.",
    lead: "Open your authenticator app and enter the 6-digit code for this site.",
    code: "Code",
    submit: "Continue",
    lost: "Lost your phone?",
    lostText:
      "Enter one of your recovery codes. It signs you in, turns two-step verification off, and signs you out everywhere else. You can then set it up on a new device. Each code works once.",
    recoveryCode: "Recovery code",
    submitRecovery: "Use recovery code",
    noCode: "No recovery codes left? Contact your site operator, who can reset two-step verification.",
    leave: "Sign in as someone else",
  },
  mistakes: {
    empty: "Enter the code",
    wrong:
      "That code is not right. Codes change every 30 seconds and work once, so enter the next one. If that fails too, set your phone’s clock to automatic: codes depend on the time.",
    wrongRecovery: "That is not one of your recovery codes, or it was already used.",
    wrongSetup: "That is not your setup code, or it was already used or is more than 72 hours old.",
    hasFactor:
      "Two-step verification is already on, and a setup code can’t turn it off. Ask your site operator to reset it and give you a new setup code.",
    wrongPassword: "That is not your password.",
    emptyPassword: "Enter your password",
    tooMany: (wait: string) => `Too many attempts. Try again in ${wait}.`,
    broken: "We can’t check that right now. Please try again in a minute.",
    notDone: "That didn’t work. Please try again in a minute.",
  },
};
