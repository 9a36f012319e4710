import { company, replyPromise } from "../company";

/** All texts of the contact page. */
export const contactPage = {
  title: "Contact Us",
  description: `Write to ${company.name}. We reply within ${replyPromise}.`,
  lead: `Tell us where your venture stands and what you want to achieve. We reply within ${replyPromise}.`,
  /** texts of the variant for investors */
  forInvestors: {
    lead: `Tell us what you invest in and what you would like from us: deals, diligence or the investor network. We reply within ${replyPromise}.`,
    labels: { company: "Company or fund" },
  },
  /** shown beside the form */
  next: {
    title: "What happens next",
    text: `Somebody here reads your message and replies to your email address within ${replyPromise}.`,
  },
  direct: "Prefer email?",
  /** shown instead of the form after a message was sent */
  sent: {
    title: "Thank you for your message",
    lead: `One of us reads it and replies to your email address within ${replyPromise}.`,
    spam: "Nothing by then? Check your spam folder, or write to us:",
    links: [
      { label: "What we do", to: "/#services" },
      { label: "Who you will work with", to: "/about" },
    ],
    again: "Write another message",
  },
  /** hints and choices by field; the fields are defined in contact-fields.ts */
  help: {
    email: { hint: "We reply to this address. The privacy policy says what else we use it for." },
    stage: {
      choices: [
        "Idea",
        "Startup",
        "Small or mid-sized business",
        "Growth stage",
        "Enterprise or health system",
        "Investor",
        "Other",
      ],
    },
    goal: { hint: "The one thing you want to achieve next." },
  } as Record<string, { hint?: string; choices?: readonly string[] } | undefined>,
  choose: "Choose one",
  optional: "(optional)",
  consent: {
    before: "I agree that my details may be used to answer this message, as the ",
    link: "privacy policy",
    after: " describes. I can take that back at any time.",
  },
  trap: "Leave this field empty",
  send: "Send Message",
  sending: "Sending...",
  tooMany: (wait: string) =>
    `You have sent several messages in a short time. Your text is still here: send it again in ${wait}.`,
};
