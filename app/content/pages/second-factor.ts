/** All texts of the second factor page, and the error messages for codes on every page. */
export const secondFactorPages = {
  challenge: {
    title: "Enter Your Code",
    description: "The second step of signing in.",
    lead: "Open the authenticator app on your phone and enter the six digits that it shows for this site.",
    code: "Code",
    submit: "Continue",
    lost: "Lost your phone?",
    lostText:
      "Enter one of the recovery codes that you kept when you set this up. It turns the second step off, so that you can set it up on another device, and ends your other sessions. Each code works once.",
    recoveryCode: "Recovery code",
    submitRecovery: "Use recovery code",
    noCode: "No recovery code left? Your administrator can help you: the manual says how.",
    leave: "Sign in as somebody else",
  },
  mistakes: {
    empty: "Enter the code",
    wrong:
      "That code is not right. Codes change every 30 seconds, and each works once: enter the next one. If that is not right either, check the clock of your phone: it must be set automatically, because codes are made from the time.",
    wrongRecovery: "That is none of your recovery codes, or it has been used.",
    wrongSetup: "That is not your setup code, or it has been used or is older than 72 hours.",
    hasFactor:
      "Your account already has a second step, which a setup code does not take away. Ask the person who runs this site to reset it and to make you a new setup code.",
    wrongPassword: "That is not your password.",
    emptyPassword: "Enter your password",
    tooMany: (wait: string) => `Too many wrong codes. Try again in ${wait}.`,
    broken: "We can’t check the code right now. Please try again in a minute.",
  },
};
