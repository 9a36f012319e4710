/** Every word of the page that answers too many log-outs; any other leads to the sign-in page at once. */
export const logoutPage = {
  title: "Logout",
  tooMany: {
    title: "You are still signed in",
    text: "There were too many log-outs in a short time. Wait a few minutes, then press the button again.",
  },
  again: "Logout",
} as const;
