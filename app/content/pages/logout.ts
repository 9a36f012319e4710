/** All texts of the page for too many log-outs. All other log-outs redirect to the sign-in page. */
export const logoutPage = {
  title: "Logout",
  tooMany: {
    title: "You are still signed in",
    text: "There were too many log-outs in a short time. Wait a few minutes, then press the button again.",
  },
  again: "Logout",
} as const;
