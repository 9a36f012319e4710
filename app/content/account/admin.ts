/** Every word of the admin area that its two lists share, and of the list of messages. */
export const adminPage = {
  title: "Admin Dashboard",
  subtitle: "Contact Form Submissions",
  logOut: "Logout",
  empty: "No contact submissions yet.",
  emptyFolder: "Nothing is in this folder.",
  nothingFound: "Nothing was found.",
  loading: "Loading",
  areas: {
    label: "Admin area",
    submissions: "Messages",
    requests: "Data rights requests",
    overdue: (count: number) => `${count} overdue`,
  },
  firstPassword: {
    title: "Change the first password",
    text: (email: string) =>
      `You still sign in with the password that the server printed when it first started, and its log may have kept it. On the server, run: npm run admin -- set-password ${email}`,
  },
  folders: {
    label: "Messages by state",
    all: "All",
    new: "New",
    in_progress: "In progress",
    done: "Done",
    spam: "Spam",
    quarantined: "Held back",
  },
  search: {
    label: "Search",
    hint: "Any part of a name, an address, a company or a text",
    submit: "Search",
    active: (words: string) => `Only what holds “${words}” is shown.`,
    clear: "Show everything",
  },
  pager: { label: "Pages", previous: "Newer", next: "Older" },
  export: "Download as CSV",
  details: { company: "Company", stage: "Stage", goal: "Goal", message: "Message", ip: "IP", state: "State" },
  actions: {
    mark: "Mark as",
    restore: "Not spam: move to New",
    delete: "Delete",
    deleteWarning: "The message and its mails are deleted for good.",
    deleteForGood: "Delete for good",
  },
  quarantine: {
    text: "These filled a field that people cannot see. Most are spam; now and then a browser fills it for a person. Nothing was mailed about them.",
    reasons: { honeypot: "Held back: the hidden field was filled." } as Record<string, string>,
  },
  mail: {
    title: "Some mail has not gone out",
    waiting: (count: number) => `${count} ${count === 1 ? "message is" : "messages are"} waiting for the mail server.`,
    givenUp: (count: number) =>
      `${count} ${count === 1 ? "mail" : "mails"} could not be delivered to the address that was given.`,
  },
  retention: {
    title: "Retention",
    never: "Nothing has been checked for its time limit yet. That is done within a day of the start.",
    /** @param when an instant in words */
    last: (when: string) => `Time limits were last kept on ${when}.`,
    nothing: "Nothing was due for deletion.",
    deleted: "Deleted:",
    kinds: {
      submissions: "messages",
      requests: "data rights requests",
      mails: "mails",
      consents: "consents",
      consent_decisions: "decisions on consent",
      receipts: "receipts",
      links: "expired links",
      records: "old records",
    } as Record<string, string>,
  },
};

/** What tells the admin that something could not be done; by SQLSTATE (supabase/migrations). */
export const adminFailures: Readonly<Record<string, { status: number; text: string }>> = {
  "55000": { status: 409, text: "That is not possible any more. Somebody may have changed it in the meantime." },
  P0002: { status: 404, text: "It does not exist any more. Somebody may have deleted it in the meantime." },
  "22023": { status: 400, text: "Something is missing or too long. Check what you entered and try again." },
};

/** For every other failure. */
export const adminFailure = { status: 503, text: "It could not be done. Try again in a minute." };
