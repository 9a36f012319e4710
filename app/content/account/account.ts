import { retention } from "../facts";

/** Every word of an admin's own account page. */
export const accountPage = {
  title: "Your Account",
  /** @param email the address of the account */
  signedInAs: (email: string) => `You are signed in as ${email}.`,
  secondFactor: "Code at sign-in: set it up, or turn it off",
  sessions: {
    title: "Where you are signed in",
    lead: "If you do not recognize a session, end it and change your password. Use is recorded about once an hour.",
    /** @param begun an instant in words @param used another */
    times: (begun: string, used: string) => `Signed in ${begun}, last used ${used}`,
    thisOne: "This session",
    end: "End session",
    endOthers: "End all other sessions",
  },
  events: {
    title: "Recent activity",
    lead: `Sign-ins with your password, and changes of it and of your second step, in the last ${retention.accountEventDays} days, newest first.`,
    none: "Nothing yet.",
    kinds: {
      "password-changed": "Password changed",
      "factor-on": "Second step at sign-in set up",
      "factor-off": "Second step at sign-in turned off",
      "recovery-code": "Recovery code used; second step turned off",
      "wrong-codes": "Five wrong codes, entered by somebody with your password",
    },
    /** @param device in words */
    signIn: (device: string) => `Signed in: ${device}`,
    signInOnNewDevice: (device: string) => `Signed in on a new device: ${device}`,
  },
  password: {
    title: "Change your password",
    lead: "You stay signed in here, all your other sessions end, and an email tells you about the change.",
    fields: {
      currentPassword: { label: "Current password" },
      newPassword: {
        label: "New password",
        hint: "At least 12 characters. Take one from a password manager, or four words that have nothing to do with each other.",
      },
      repeatedPassword: { label: "New password again" },
    },
    submit: "Change password",
    mistakes: {
      currentPassword: "Enter your current password",
      wrongPassword: "Enter your current password: this is not it",
      newPassword: "Enter a new password",
      samePassword: "Enter a password that is not your current one",
      repeatedPassword: "Enter the new password a second time, exactly as before",
    },
    failed: {
      title: "The password was not changed",
      tooMany: (wait: string) => `Too many attempts. Try again in ${wait}.`,
      sessionTooOld: "You signed in more than a day ago. Log out, sign in again, and then change your password.",
      broken: "Something went wrong. Try again in a minute.",
    },
  },
} as const;
