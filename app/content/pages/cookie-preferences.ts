/** Every word of the dialog about cookies (spec section 2). What it says of a kind of cookie follows the registry. */
export const cookiePreferences = {
  open: "Manage Cookie Preferences",
  title: "Privacy & Cookie Preferences",
  lead: "This is what the site may keep in your browser. Today it runs nothing that needs your consent, so there is nothing to switch off.",
  kinds: [
    {
      label: "Necessary",
      state: "Always on",
      text: "Without these the site cannot do what you ask of it, such as showing that your message was sent.",
    },
    { label: "Analytics", state: "Not in use", text: "Would count visits. None is set, whatever your browser says." },
    { label: "Marketing", state: "Not in use", text: "Would serve advertising. None is set, and none is planned." },
  ],
  links: [
    { label: "Your data rights", path: "/data-rights" },
    { label: "Privacy Policy", path: "/privacy-policy" },
  ],
  close: "Close",
} as const;
