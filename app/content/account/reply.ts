/** Every word of the reply to a message: its form, its mail, and what is shown of it afterwards. */
export const replyWords = {
  title: "Reply",
  label: "Your reply",
  /** @param email of the sender */
  hint: (email: string) =>
    `It goes to ${email} as plain text, with their message quoted below it. Sending it marks the message as answered.`,
  send: "Send reply",
  sendAnyway: "Send all the same",
  saveDraft: "Save draft",
  /** @param when an instant in words @param by an admin's address, or null where the account is gone */
  draftSaved: (when: string, by: string | null) => `Draft, saved on ${when}${by ? ` by ${by}` : ""}`,
  inMailProgram: "Reply in your mail program",
  /** @param firm its name */
  mailProgramSubject: (firm: string) => `Re: your message to ${firm}`,
  closed: "Move this message to New to reply to it.",
  insert: {
    label: "Saved text",
    placeholder: "Choose a text",
    submit: "Insert",
    mistake: "Choose the text to insert",
    noRoom: (shorten: string) => `With this text the reply would be too long. ${shorten}`,
    manage: "Change the saved texts",
  },
  sent: {
    title: "Replies",
    /** @param when an instant in words @param by an admin's address, or null where the account is gone */
    answered: (when: string, by: string | null) => `Answered on ${when}${by ? ` by ${by}` : ""}.`,
    delivery: {
      sent: "The email was sent.",
      filed: "The email is in a file in the data folder, because no mail server is set.",
      waiting: "The email is waiting for the mail server.",
      "given-up": "The email could not be delivered to this address.",
    },
  },
  meanwhile: {
    title: "Send all the same?",
    /** @param when an instant in words @param what was done @param by an admin's address, or null where nobody was signed in */
    event: (when: string, what: string, by: string | null) => `${when}: ${what}${by ? `, ${by}` : ""}.`,
    reply: "The other reply:",
    /** @param when an instant in words @param by as above */
    draft: (when: string, by: string | null) => `The draft that was saved on ${when}${by ? ` by ${by}` : ""}:`,
  },
  mail: {
    /** @param day in words */
    quoted: (day: string) => `On ${day}, you wrote through our website:`,
    cut: "[…]",
  },
  unsent: {
    title: "Nothing was sent",
    titleOfDraft: "Nothing was saved",
    session:
      "Your session has ended. Sign in in a new tab, come back to this page, and press the button again: your text is still here.",
    signIn: "Sign in in a new tab",
    unavailable: "The site’s database does not answer. Your text is still here: try again in a minute.",
    gone: "This message no longer exists, or its use is restricted, so there is nobody to reply to. Copy your text if you still need it.",
    changed:
      "While this page was open, somebody at the firm changed this message. What is there now stands above your text.",
    otherReply:
      "This form has already sent a reply with other words. This text has not been sent: send it again if it is to follow as a second reply.",
  },
};
