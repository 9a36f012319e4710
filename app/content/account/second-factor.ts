/** Every word about the second factor, of the page after signing in and of the one where it is set up. */
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
    noCode: "No recovery code left? Whoever runs this site can help you: its manual says how.",
    leave: "Sign in as somebody else",
  },
  own: {
    title: "Second Step at Sign-In",
    description: "Set up or turn off a code from your phone at sign-in.",
    why: "With a code from your phone, somebody who has learned your password still cannot read what visitors wrote.",
    required: "This site asks every admin for a code. Set yours up to go on.",
    setup: {
      title: "Setup code",
      text: "Whoever runs this site makes it for you, and it works once, within 72 hours. It proves that it is you who sets up the code, and not somebody with your password. You then have 15 minutes to set it up in this browser.",
      label: "Setup code",
      submit: "Continue",
      recovery: "Have a recovery code left?",
      recoveryText: "One of your recovery codes does the same.",
    },
    begin: "Set up",
    scan: {
      title: "Scan this with your authenticator app",
      alt: "QR code with the key below",
      byHand: "Or type this key into the app:",
      next: "Then enter the six digits that the app shows.",
      code: "Code",
      submit: "Turn on",
    },
    on: {
      title: "It is on",
      since: (date: string) => `Set up on ${date}.`,
      left: (count: number) =>
        count === 0
          ? "You have no recovery codes left."
          : `You have ${count} recovery ${count === 1 ? "code" : "codes"} left.`,
      renew: "Make new recovery codes",
      turnOff: "Turn off",
      turnOffText:
        "If you turn it off, your password alone will be enough to sign in. You stay signed in here, and all your other sessions end.",
    },
    codes: {
      title: "Keep these recovery codes",
      text: "They are shown once. Without your phone, each lets you in one time: print them, or keep them where you keep your passwords.",
      download: "Save as a text file",
      fileName: "recovery-codes.txt",
      fileHead: (site: string) => `Recovery codes for ${site}. Each works once.`,
      done: "I have kept them",
    },
  },
  confirm: {
    title: "Confirm It Is You",
    description: "Some things need your password again, and your code if you have one.",
    text: (minutes: number) =>
      `You signed in more than ${minutes} minutes ago. Before an erasure, an export or a change of your sign-in, this site asks again.`,
    password: "Password",
    code: "Code from your authenticator app",
    submit: "Confirm",
    back: "Go back",
  },
  advice: {
    title: "Protect what visitors wrote",
    text: "Ask for a code from your phone when you sign in: a stolen password is then not enough.",
    link: "Set it up",
    waive: "Not now",
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
