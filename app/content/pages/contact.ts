import { withWords } from "#firm/words";
import { company, replyPromise } from "../company";
import { acknowledgementLimits, requestMailMinutes } from "../facts";
import { founder } from "../founder";
import { howItStarts } from "../how-it-starts";

/** Differences of the contact form for visitors whose link names their audience. */
export interface ContactVariant {
  /** replace the page's own, also in its `<head>` */
  readonly title?: string;
  readonly description?: string;
  /** preselected; one of the choices */
  readonly stage: string;
  /** filled in, because the link already says it */
  readonly goal?: string;
  readonly lead?: string;
  /** replace the fields' own labels and hints, by field; an empty hint removes one */
  readonly labels?: Readonly<Record<string, string>>;
  readonly hints?: Readonly<Record<string, string>>;
  /** the visitor came to join the network: replaces the steps, and shows the details above the two boxes */
  readonly joining?: { readonly title: string; readonly steps: readonly string[] };
}

/** Advice if a promised mail does not come. @param hours the most until it goes; 0 when it need not wait */
export function helpWithoutMail(hours: number): string {
  const after = hours === 0 ? `after ${requestMailMinutes}\u00a0minutes` : "by then";
  return `No email ${after}? Look in your spam folder; a mailbox gets at most ${acknowledgementLimits.perMailboxAndDay} of these a day. Or write to us:`;
}

/** Ends a lead with the promise, unless one of the firm's steps beside it gives that already. */
function promiseReply(lead: string): string {
  return howItStarts?.steps.some((step) => step.includes(replyPromise)) ? lead : `${lead} ${promise}`;
}

const promise = `We reply within ${replyPromise}.`;

const investor = {
  stage: "Investor",
  labels: { company: "Company or fund" },
  hints: { company: "", goal: "In a few words: join the investor network, check a deal." },
} as const;

/** All texts of the contact page. */
export const contactPage = withWords("contact", {
  title: "Contact Us",
  description: `Write to ${company.name}. ${promise}`,
  lead: promiseReply("Tell us where your venture stands and what you want to achieve."),
  /** differences of the form by the query of its address: the link that led to it knows the visitor's stage */
  variants: {
    "?about=investors": {
      ...investor,
      lead: promiseReply("Tell us what you invest in and what you want from us: deals, diligence or the network."),
    },
    "?about=investors&want=network": {
      ...investor,
      title: "Join the investor network",
      description: `Join the investor network of ${company.name}: a few emails a year, at no cost. You confirm by email, and leave at any time.`,
      goal: "Join the investor network",
      hints: { company: "", goal: "", message: "Your fields, your stage, and what you would like to see more of." },
      lead: `Tell us what you invest in, and check both boxes at the end. ${promise}`,
      joining: {
        title: "How joining works",
        steps: [
          "You tell us what you invest in.",
          "You open the link in our email and press the button.",
          "We read your request ourselves and write to you.",
        ],
      },
    },
    "?about=investors&want=diligence": {
      ...investor,
      hints: { ...investor.hints, goal: "In a few words: check a seed round, review an AI claim." },
      lead: promiseReply(
        "Tell us about the deal: the company, its stage and your questions. Leave out anything confidential for now.",
      ),
    },
    "?from=startups": { stage: "Startup" },
    "?from=small-business": { stage: "Small or mid-sized business" },
    "?from=growth-stage": { stage: "Growth stage" },
    "?from=enterprises": { stage: "Enterprise or health system" },
  } as Readonly<Record<string, ContactVariant | undefined>>,
  /** shown beside the form */
  next: {
    title: "What happens next",
    text: founder
      ? "You get a reply at your email address."
      : "Somebody here reads your message and replies to your email address.",
  },
  direct: "Prefer email?",
  /** shown instead of the form after a message was sent */
  sent: {
    /**
     * @param who the founder's name; null if the facts do not give one
     * @param by day, time and time zone in words
     */
    title: (who: string | null, by: string) => `Thank you. ${who ?? "We"} will write to you by ${by}.`,
    help: "Nothing by then? Check your spam folder, or write to us:",
    /** @param label of the page in the navigation */
    back: (label: string) => `Back to ${label}`,
    home: "the home page",
    about: { label: "Who you will work with", path: "/about" },
    again: "Write another message",
    /** after a message that also asked to join the network */
    joining: {
      title: "One more step: check your email",
      /** @param days in which the link works */
      lead: (days: number) =>
        `To join the investor network, open the link in our email within ${days}\u00a0days and press the button. Until you do, you are not in it.`,
      /** @param who as above @param by as above */
      reply: (who: string | null, by: string) => `${who ?? "We"} will reply to your message by ${by}.`,
      help: helpWithoutMail,
    },
  },
  /** hints and choices by field; the fields are defined in contact-fields.ts */
  help: {
    company: { hint: "No company yet? Write the name of your project." },
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
    goal: { hint: "In a few words: raise a seed round, prepare a sale." },
  } as Record<string, { hint?: string; choices?: readonly string[] } | undefined>,
  choose: "Choose one",
  optional: "(optional)",
  consent: {
    before: "I agree that my details may be used to answer this message, as the ",
    link: "privacy policy",
    after: " describes. I can withdraw that at any time.",
  },
  trap: "Leave this field empty",
  /** beside the button while the box is not checked */
  checkFirst: "Check the box above to send.",
  send: "Send Message",
  sending: "Sending...",
  tooMany: (wait: string) =>
    `You have sent several messages in a short time. Your text is still here: send it again in ${wait}.`,
});
