/** Every word of the admin area that its two lists share, and of the list of messages. */
export const adminPage = {
  title: "Admin Dashboard",
  subtitle: "Contact Form Submissions",
  logOut: "Logout",
  empty: "No contact submissions yet.",
  emptyFilter: "Nothing here.",
  nothingFound: "No results.",
  loading: "Loading",
  areas: {
    label: "Admin area",
    submissions: "Messages",
    requests: "Data rights requests",
    overdue: (count: number) => `${count} overdue`,
  },
  firstPassword: {
    title: "Change the initial password",
    text: (email: string) =>
      `You are still using the password that the server printed when it first started, and its log may contain it. On the server, run: npm run admin -- set-password ${email}`,
  },
  filters: {
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
    hint: "Part of a name, email, company or message",
    submit: "Search",
    active: (words: string) => `Showing results for “${words}”.`,
    clear: "Clear search",
  },
  pager: { label: "Pages", previous: "Newer", next: "Older" },
  export: "Download as CSV",
  details: { ip: "IP", state: "State", reference: "Reference" },
  actions: {
    mark: "Mark as",
    restore: "Not spam: move to New",
    delete: "Delete",
    deleteWarning:
      "The message and its emails will be deleted from this site for good. Backups and mailboxes may still hold them.",
    deleteForGood: "Delete permanently",
  },
  quarantine: {
    text: "These filled in a field that people cannot see. Most are spam, but now and then a browser fills it in for a person. No email was sent about them.",
    reasons: { honeypot: "Held back: the hidden field was filled in." } as Record<string, string>,
  },
  mail: {
    title: "Some email has not been sent",
    waiting: (count: number) => `${count} ${count === 1 ? "email is" : "emails are"} waiting for the mail server.`,
    givenUp: (count: number) =>
      `${count} ${count === 1 ? "email" : "emails"} could not be delivered to the address given.`,
  },
  retention: {
    title: "Retention",
    never: "Retention limits have not been applied yet.",
    late: {
      title: "Data is kept longer than the privacy policy says",
      text: "Retention limits were not applied in the last two days. Tell whoever runs this site: docs/OPERATIONS.md says what to do about “retention.late”.",
    },
    /** @param when an instant in words */
    last: (when: string) => `Retention limits were last applied on ${when}.`,
    nothing: "Nothing was due for deletion.",
    deleted: "Deleted:",
    kinds: {
      submissions: "messages",
      requests: "data rights requests",
      mails: "emails",
      consents: "consent records",
      consent_decisions: "consent decisions",
      receipts: "receipts",
      sender_addresses: "senders’ internet addresses",
      links: "expired links",
      records: "old records",
    } as Record<string, string>,
  },
};

/** What tells the admin that something could not be done; by SQLSTATE (supabase/migrations). */
export const adminFailures: Readonly<Record<string, { status: number; text: string }>> = {
  "55000": { status: 409, text: "That is no longer possible. Somebody may have changed it in the meantime." },
  "55006": {
    status: 409,
    text: "This person has asked for their data. Nothing of it can be deleted until that request is answered (see Data rights requests).",
  },
  P0002: { status: 404, text: "It no longer exists. Somebody may have deleted it in the meantime." },
  "22023": { status: 400, text: "Something is missing or too long. Check what you entered and try again." },
};

/** For every other failure. */
export const adminFailure = { status: 503, text: "Something went wrong. Try again in a minute." };
