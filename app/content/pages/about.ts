import { contactAddressFrom } from "~/lib/pages/contact-origin";
import { company, founderName } from "../company";

const founder = { ...company.founder, name: founderName ?? "The founder" };
const hasOwnStory = founder.story.length > 0;
const whoFoundedIt = hasOwnStory ? "who founded it" : "the serial entrepreneur and Series 65 advisor who founded it";

/** Text about the founder until the file of facts has a story. */
const builtInStory: readonly string[] = [
  `${founder.name} is a serial entrepreneur and a licensed Series 65 advisor: someone who has built companies and has passed an exam on the duties an advisor owes a client, such as disclosing conflicts and explaining fees.`,
  "Those habits shape each engagement, although our work is business advisory and not investment advice. You will hear what we would do in your place, what it depends on and what would change our mind.",
];

/** All texts of the about page. It claims nothing about the founder beyond REQUIREMENTS 2.7. */
export const aboutPage = {
  path: "/about",
  label: "About",
  title: "About the firm and its founder",
  description: `Why ${company.name} exists, how it works with healthcare and wellness ventures, and ${whoFoundedIt}.`,
  headline: "Advice from your side of the table",
  lead: "A strategic advisory and AI transformation firm for healthcare and wellness, founded by an entrepreneur, for founders, owners and boards who sign for the result.",
  drawing: {
    name: "chairs",
    description: "A table from above. Two chairs, you and we, stand on the same side of it; one stands opposite.",
    words: ["you", "we"],
  },
  story: {
    title: "Why we exist",
    paragraphs: [
      "Healthcare is hard on new ventures for a good reason: a mistake can hurt someone. So each hospital, payer and regulator asks for proof, and proof takes time, which is what a young company has least of.",
      "Large consultancies explain the rules, and small vendors each handle one of them. In between, an owner may have no one who treats product, money, law and people as parts of one decision.",
      "We work in that gap. The firm draws on 20+ years of proven execution, brings in senior specialists for single questions, such as reimbursement or security, and steps back when your own team can carry the work.",
      "Artificial intelligence gets the same treatment. From day one we ask where the data came from, who is accountable for the output and how anyone would notice if it were wrong.",
      "We also know where we stop. We are not a law firm, an auditor, a tax practice or a broker-dealer; we work beside yours and say so when a question belongs to them.",
    ],
  },
  founder: {
    title: "The founder",
    paragraphs: hasOwnStory ? founder.story : builtInStory,
    portraitAlt: `Portrait of ${founder.name}`,
    linkedinLabel: "Founder’s profile on LinkedIn",
  },
  philosophy: {
    quote: founder.philosophy || "Good advice is finished when the people who asked for it no longer need it.",
    attribution:
      founderName === undefined ? `The working principle of ${company.name}` : `${founderName} works by this`,
  },
  closing: {
    title: "Ask us a question",
    text: "Send the one you keep coming back to. Half-formed is fine; sorting it out is the first thing we do together.",
    label: "Contact Us",
    path: contactAddressFrom("/about"),
  },
} as const;
