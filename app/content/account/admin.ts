/** Every word of the admin area that its two lists share, and of the list of messages. */
export const adminPage = {
  title: "Admin Dashboard",
  subtitle: "Contact Form Submissions",
  logOut: "Logout",
  empty: "No contact submissions yet.",
  emptyFilter: "Nothing here.",
  nothingWaits: "Nothing needs an answer.",
  messageFrom: (name: string) => `Message from ${name}`,
  openPage: "Open on its own page",
  nothingFound: "No results.",
  loading: "Loading",
  areas: {
    label: "Admin area",
    submissions: "Messages",
    requests: "Requests",
    overdue: (count: number) => `${count} overdue`,
    numbers: "Numbers",
    people: "People",
    account: "Account",
  },
  firstPassword: {
    title: "Change the initial password",
    text: "You are still using the password that the server printed when it first started, and its log may contain it.",
    link: { label: "Change it on your account page", path: "/admin/account#password" },
  },
  filters: {
    label: "Messages by state",
    waiting: "Needs an answer",
    all: "All",
    new: "New",
    in_progress: "In progress",
    done: "Done",
    spam: "Spam",
    quarantined: "Held back",
  },
  search: {
    label: "Search name, email, company or text",
    placeholder: "Name, email or text",
    submit: "Search",
    /** before and behind what is searched for */
    active: ["Showing results for “", "”."],
    refused: "Enter what to search for",
    clear: "Show the whole list",
    over: "That search has ended. This is the whole list.",
  },
  pager: { label: "Pages", previous: "Newer", next: "Older" },
  export: { comma: "Download as CSV", semicolon: "Download for Excel in Europe" },
  details: { ip: "IP", received: "Received", state: "State", answered: "Answered", reference: "Reference" },
  actions: {
    reply: "Reply",
    mark: { new: "Move to New", in_progress: "In progress", done: "Done", spam: "Spam" },
    more: "More",
    restore: "Not spam: move to New",
    deleteWarning:
      "The message and its emails will be deleted from this site for good. Backups and mailboxes may still hold them.",
    deleteForGood: "Delete permanently",
  },
  sender: {
    title: "Also from this sender",
    nothing: "Nothing.",
    log: "What was done with it",
    actions: {
      "submission-new": "moved to New",
      "submission-in_progress": "in progress",
      "submission-done": "done",
      "submission-spam": "marked as spam",
      "submission-restored": "restored",
      "submission-corrected": "corrected at the sender’s request",
      "submission-replied": "answered from here",
      "submission-answered-by-link": "answered, by the link in an email",
    } as Record<string, string>,
  },
  markedByLink: {
    title: "Marked as answered by the link in an email",
    text: "Nobody was signed in, and programs that check email open such links now and then. If nobody has answered, put the message back.",
    /** @param when an instant in words */
    when: (when: string) => `marked on ${when}`,
    note: "marked by the link in an email",
    right: "It was answered",
    undo: "Not answered: move to New",
  },
  quarantine: {
    text: "These filled in a field that people cannot see. Most are spam, but now and then a browser fills it in for a person. Those with at most one link were mailed to you with that remark; nobody else was sent an email about any of them.",
    reasons: { honeypot: "Held back: the hidden field was filled in." } as Record<string, string>,
  },
  mail: {
    title: "Some email has not been sent",
    waiting: (count: number) => `${count} ${count === 1 ? "email is" : "emails are"} waiting for the mail server.`,
    givenUp: (count: number) =>
      `${count} ${count === 1 ? "email" : "emails"} could not be delivered to the address given.`,
  },
  missingFacts: {
    title: "Placeholders stand on the public site",
    text: (count: number) =>
      `${count === 1 ? "One fact" : `${count} facts`} about the firm ${count === 1 ? "is" : "are"} still to be supplied. Tell whoever runs this site: “npm run check:content” lists them, and docs/OPERATIONS.md says where they go (“Your firm’s facts”).`,
  },
  backups: {
    title: "Backups need attention",
    /** @param when an instant in words; null where there has never been one */
    failed: (when: string | null) =>
      `The last try to make a backup failed. ${when ? `The last good one is of ${when}.` : "There is none yet."}`,
    late: (when: string | null) => `The last good backup is of ${when}, and no other was made since.`,
    notCopied: () => "The last backup could not be copied to where copies are kept.",
    whatToDo:
      "Tell whoever runs this site: docs/OPERATIONS.md says what to do about “backups.failed” and “backups.copy-failed”.",
  },
  disk: {
    title: "The server needs attention",
    low: "Its disk is nearly full.",
    full: "Its disk is full: visitors may be told that their messages could not be sent.",
    whatToDo: "Tell whoever runs this site: docs/OPERATIONS.md says what to do about “disk.low”.",
  },
  retention: {
    title: "Retention",
    never: "Retention limits have not been applied yet.",
    late: {
      title: "Data is kept longer than the privacy policy says",
      text: "Retention limits were not applied in the last two days. Tell whoever runs this site: docs/OPERATIONS.md says what to do about “retention.late”.",
    },
    waits: {
      event: "retention.waits",
      text: "The clock was set back, or went on by more than two weeks. Nothing is deleted for its age for a day, so that a wrong clock can be set right.",
      see: "docs/OPERATIONS.md, “A clock that jumps”",
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
      day_counts: "numbers of views",
      sender_addresses: "senders’ internet addresses",
      links: "expired links",
      records: "old records",
      account_events: "entries about accounts",
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
  PT409: {
    status: 409,
    text: "Somebody changed this while the page was open, so nothing was done. It is shown here as it is now: if you still want to, press the button again.",
  },
  P0002: { status: 404, text: "It no longer exists. Somebody may have deleted it in the meantime." },
  "22023": { status: 400, text: "Something is missing or too long. Check what you entered and try again." },
};

/** For every other failure. */
export const adminFailure = { status: 503, text: "Something went wrong. Try again in a minute." };
