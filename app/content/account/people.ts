/** Every word of the page of those who may use the admin area. */
export const peoplePage = {
  title: "People",
  admins: {
    title: "Admins",
    you: "You",
    /** @param when an instant in words */
    since: (when: string) => `Admin since ${when}`,
    lastSignIn: (when: string) => `Last signed in on ${when}`,
    neverSignedIn: "Has not signed in yet",
    sessions: (count: number) =>
      count === 0 ? "Not signed in anywhere" : `Signed in on ${count} ${count === 1 ? "device" : "devices"}`,
  },
  remove: {
    summary: "Remove",
    /** @param email of the admin @param invitations open ones that they sent */
    consequence: (email: string, invitations: number) => {
      const few = ["", " One open invitation that they sent ends."];
      const ended = few[invitations] ?? ` ${invitations} open invitations that they sent end.`;
      return `${email} will be signed out everywhere at once and cannot open the admin area again, until an admin invites them.${ended} Nothing they did is lost.`;
    },
    confirm: "Yes, remove this admin",
  },
  invite: {
    title: "Invite an admin",
    text: "An admin reads and answers everything, and can invite and remove other admins.",
    email: "Email address",
    hint: "The invitation works once, for 72 hours.",
    submit: "Send invitation",
  },
  invitations: {
    title: "Open invitations",
    none: "No invitations are open.",
    /** @param made @param until instants in words */
    dates: (made: string, until: string) => `Invited on ${made}, works until ${until}`,
    withdraw: "Withdraw",
    withdrawLabel: (email: string) => `Withdraw the invitation of ${email}`,
  },
  others: { title: "Former admins and other addresses" },
  log: {
    summary: "Log",
    none: "Nothing yet.",
    operator: "The operator",
    /** By action of the log; `who` is whoever did it, `whom` the person it is about. */
    actions: {
      "admin-invited": (who: string, whom: string) => `${who} invited ${whom}`,
      "invitation-withdrawn": (who: string, whom: string) => `${who} withdrew the invitation of ${whom}`,
      "admin-joined": (who: string) => `${who} accepted an invitation`,
      "admin-named": (_who: string, whom: string) => `${whom} became an admin, named by a setting of this site`,
      "admin-granted": (who: string, whom: string) => `${who} made ${whom} an admin`,
      "admin-removed": (who: string, whom: string) => `${who} removed ${whom}`,
      "link-printed": (who: string, whom: string) => `${who} made a link for a new password of ${whom}`,
      "second-factor-reset": (who: string, whom: string) => `${who} took the second factor of ${whom} away`,
      "setup-code-made": (who: string, whom: string) => `${who} made a setup code for ${whom}`,
      "factor-on": (_who: string, whom: string) => `The second step of ${whom} was set up`,
      "factor-off": (_who: string, whom: string) => `The second step of ${whom} was turned off`,
      "recovery-code": (_who: string, whom: string) => `A recovery code of ${whom} was used`,
      "wrong-codes": (_who: string, whom: string) =>
        `Five wrong codes were entered for ${whom}, by somebody with the password`,
      "password-set": (who: string, whom: string) => `${who} set a new password for ${whom}`,
      "signed-out": (who: string, whom: string) => `${who} signed ${whom} out everywhere`,
      "password-renewed": (who: string) => `${who} set a new password by a link`,
      "submissions-exported": (who: string) => `${who} downloaded messages`,
      "submission-replied": (who: string) => `${who} replied to a message`,
      "submission-deleted": (who: string) => `${who} deleted a message`,
      "submission-corrected": (who: string) => `${who} corrected a message`,
      "submission-restored": (who: string) => `${who} moved a message out of Held back`,
    } as Record<string, (who: string, whom: string) => string>,
    /** for every other action */
    other: (who: string, action: string) => `${who}: ${action.replaceAll(/[_-]/g, " ")}`,
  },
  failures: {
    already: "This person is an admin already.",
    tooMany: "Twenty invitations have gone out in the last 24 hours, which is the most. Try again tomorrow.",
  },
} as const;
