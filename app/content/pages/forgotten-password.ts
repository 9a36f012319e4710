/** All texts of the page for a forgotten password. */
export const forgottenPasswordPage = {
  title: "Forgot your password?",
  lead: "Enter the email address you sign in with. If it has an account, we’ll email you a link to choose a new password. The link works once, for 30 minutes.",
  email: "Email",
  submit: "Send link",
  back: { label: "Back to sign-in", path: "/login" },
  failedTitle: "The link was not sent",
  tooMany: (wait: string) => `Too many attempts. Try again in ${wait}.`,
  unavailable: "Something went wrong on our side. Try again in a minute.",
} as const;
