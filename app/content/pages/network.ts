import type { ErrorPageCopy } from "../error-pages";
import { networkPeriods } from "../facts";
import { linkProblems } from "../privacy/data-rights-links";

/** State of a membership. */
export type NetworkState = "asked" | "confirmed" | "admitted" | "declined";

/** Labels of a member's details and of their choices, for visitors and admins alike. */
export const networkWords = {
  labels: {
    name: "Name",
    email: "Email",
    company: "Company or fund",
    kind: "Kind of investor",
    fields: "Fields of interest",
    check_size: "Usual check size",
    place: "Country or state",
    qualification: "How you qualify as an accredited investor",
  },
  hints: { qualification: "We don’t check this here." },
  /** the empty choice, and the text for a missing detail */
  notGiven: "Not given",
  kinds: {
    angel: "Angel investor",
    credentialed: "Credentialed investor",
    "family-office": "Family office",
    fund: "Venture or private equity firm",
    lender: "Private credit lender",
    corporate: "Corporate venture arm",
  },
  fields: {
    platforms: "Digital health platforms",
    ai: "Clinical and administrative AI",
    "care-delivery": "Care delivery models",
    "behavioral-health": "Behavioral health",
    devices: "Devices and diagnostics",
    wellness: "Wellness and longevity",
    infrastructure: "Healthcare infrastructure",
  },
  checkSizes: {
    "under-25k": "Under $25,000",
    "25k-100k": "$25,000 to $100,000",
    "100k-500k": "$100,000 to $500,000",
    "500k-2m": "$500,000 to $2 million",
    "over-2m": "Over $2 million",
  },
  qualifications: {
    income: "By income",
    "net-worth": "By net worth",
    license: "By a Series 7, 65 or 82 license",
    entity: "As an entity, such as a fund or family office",
    no: "I don’t qualify, or I’m not sure",
  },
  states: {
    asked: "Not confirmed",
    confirmed: "Confirmed",
    admitted: "Admitted",
    declined: "Declined",
  } satisfies Record<NetworkState, string>,
} as const;

/** Words of the box on the contact form. Its archive is `content/consent-texts`: a change needs a new file. */
export const networkBox = {
  label: "Also add me to the investor network: a few emails a year, leave at any time",
  hint: "We first email you a link to confirm. You are not in the network until you open it and press its button.",
  /** above the optional details */
  details: "For the network (optional)",
} as const;

/** All texts of /network without a link, and of the page after the link was requested. */
export const lostLinkPage = {
  title: "Investor network",
  lead: "Your own link opens what we keep about you: see it, change it, or leave. Lost it? Enter the email address that you joined with, and we email you the link.",
  email: "Email",
  submit: "Send my link",
  join: {
    before: "Not in the network yet? ",
    label: "Join with the contact form",
    path: "/contact?about=investors&want=network",
  },
  failedTitle: "The link was not sent",
  tooMany: (wait: string) => `Too many attempts. Try again in ${wait}.`,
  unavailable: "Something went wrong on our side. Try again in a minute.",
} as const;

/** All texts of the page behind a member's link. */
export const memberPage = {
  /** before the address is confirmed */
  asked: {
    title: "Join the investor network",
    lead: "Someone, hopefully you, asked to add this email address to our investor network. If you join, we keep the following and write to you a few times a year.",
    join: "Join the network",
    /** @param until a day in words */
    otherwise: (until: string) =>
      `Not you? Close this page: unless you press the button, we delete this by ${until} and write to you no more than once to remind you.`,
    discard: "Delete this now",
    /** for two uses of the contact form before the first was confirmed */
    twice: {
      title: "The form was sent twice, with different details",
      text: "Choose the ones to keep.",
      kept: "The first time",
      asked: "The last time",
      use: "Join with these",
      keep: "Use the first ones",
    },
  },
  title: "Your place in the investor network",
  /** explains each state; the first sentence of the page */
  leads: {
    confirmed: "Your address is confirmed. We read each request to join ourselves. You see our decision on this page.",
    admitted: "You are in the network. Our letters to its members come to your mailbox.",
    declined: `We have not added you to the network, and won’t write to you about it. We delete these details ${networkPeriods.declinedMonths}\u00a0months after our decision. You can delete them now.`,
  } satisfies Record<Exclude<NetworkState, "asked">, string>,
  restricted:
    "You asked us to restrict the use of your data, so we keep it and do nothing else with it. You can’t change it until that ends. You can still leave.",
  /** after the member stopped all mail, until the membership is deleted; days are in words */
  stopped: {
    lead: ({ on, deletedOn }: { on: string; deletedOn: string }) =>
      `You stopped all mail on ${on}. We send you nothing, and delete your entry on ${deletedOn}. Until then you can take it back.`,
    button: "Take it back",
  },
  /** after a mail could not be delivered; the day is in words */
  returned: {
    title: "Mail to you was returned",
    text: ({ on, reason }: { on: string; reason: string }) =>
      `Mail to you was returned on ${on}: “${reason}”. We have sent you no mail of the network since. If your mailbox works again, press the button.`,
    button: "Write to me again",
  },
  /** a year or more after the last confirmation */
  renewal: {
    title: "Do you want to stay?",
    /** @param until a day in words */
    text: (until: string) => `Press the button to stay in the network. Otherwise we delete what we keep on ${until}.`,
    button: "Stay in the network",
  },
  facts: { state: "State", asked: "Asked on", confirmed: "Confirmed on" },
  pending: {
    title: "You asked again, with other details",
    text: "Someone, hopefully you, used the contact form with this address again. Nothing has changed yet.",
    kept: "What we keep",
    asked: "What the form said",
    use: "Use these",
    keep: "Keep mine",
  },
  change: {
    title: "Change your details",
    /** beside the address, which no form changes */
    email: "To use another address, leave and join again with it.",
    submit: "Save changes",
    conflict:
      "These details were changed meanwhile, perhaps in another tab. Your text is still here, below what we now keep. Check it and save again.",
    refused: "These details can’t be changed now. Your text is still here. Open the link in our email again.",
  },
  links: {
    title: "Links to this page",
    /** @param until a day in words */
    text: (until: string) =>
      `Your link works until ${until}, or until we email you a newer one. Did someone else get it? End all links to this page, then ask for a new one. The links in our letters stay: they only stop our email.`,
    button: "End all earlier links",
  },
  leave: {
    title: "Leave the network",
    text: "We delete everything shown here immediately. Only a code made from your address stays, which we can’t read back; it keeps a restored backup from bringing you back.",
    button: "Leave the network",
  },
} as const;

/** The page after leaving, and after deleting what was not confirmed. */
export const leftPage = {
  title: "You are not in the network",
  lead: "We have deleted your membership and what we kept with it. Messages that you sent with the contact form stay for as long as our privacy policy says.",
  links: [
    { label: "Privacy policy", path: "/privacy-policy" },
    { label: "Your data rights", path: "/data-rights" },
  ],
} as const;

/**
 * Error pages for links, by HTTP status. Unknown, expired and forged links share one page, so that outsiders cannot
 * tell them apart. It ends with the form of {@link lostLinkPage}.
 */
export const networkLinkProblems = {
  ...linkProblems,
  404: {
    title: "This link doesn’t work",
    text: `A link to confirm works for ${networkPeriods.confirmDays}\u00a0days, and a link to your page for ${networkPeriods.pageLinkDays}\u00a0days, until we email you a newer one, or until you end it. Use the link in our newest email. If you are in the network, enter your address and we email you a new one. Otherwise join again.`,
  },
} as const satisfies Partial<Record<number, ErrorPageCopy>>;
