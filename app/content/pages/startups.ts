import { contactAddressFrom } from "~/lib/pages/contact-origin";
import { replyPromise } from "../company";
import type { OfferingPage } from "./offering-page";

/** All texts of the page for startups and founders; REQUIREMENTS 2.5 lists its nine topics. */
export const startupsPage: OfferingPage = {
  path: "/startups",
  line: "spark",
  label: "Startups & Founders",
  title: "Advisory for healthcare startups",
  description:
    "For founders in healthcare and wellness: market validation, MVP, pitch, fundraising preparation, compliance, AI readiness and senior help when needed.",
  headline: "Prove the need before you build the product",
  lead: "In healthcare and wellness, the people who use a product, choose it and pay for it are rarely the same. We help founders win over all three, in the right order.",
  offeringsTitle: "From first interview to first contract",
  offerings: [
    {
      title: "Market validation",
      text: "We interview the clinician who would use it, the administrator who would sign for it and the payer who would cover it. Before the first call, you write down which answers would make you stop.",
    },
    {
      title: "MVP strategy",
      text: "One clinical question, one workflow, and synthetic records until a privacy contract (BAA) allows real ones.",
    },
    {
      title: "Pitch deck and business model",
      text: "A deck that says who pays, from which budget, and when. Investors can change every assumption behind it.",
    },
    {
      title: "Fundraising preparation",
      text: "The cap table after every note converts, the data room, the hard questions. You lead every conversation.",
    },
    {
      title: "Fractional leadership",
      text: "A finance or clinical lead for two days a month, say, until your first full-time hire takes over.",
    },
    {
      title: "AI readiness",
      text: "Before a model sees patient data: what it may learn from, who reviews it, how you notice drift.",
    },
    {
      title: "Operations from day one",
      text: "Vesting, inventions assigned to the company, 83(b) tax elections within 30 days: small papers that stop large deals.",
    },
    {
      title: "Go-to-market plan",
      text: "One segment, one pilot with success defined before it starts, then security review, contract and rollout.",
    },
    {
      title: "Compliance groundwork",
      text: "We settle which applies: HIPAA or FTC breach rule, device or wellness product, SOC 2 or not yet.",
    },
  ],
  outcomeTitle: "The outcome",
  outcome:
    "A company that can say what problem it solves, who pays and what it has proved, and can back up each answer with documents.",
  drawing: {
    name: "overlap",
    description:
      "Three circles that overlap: who uses it, who chooses it, who pays for it. A dot stands where all three meet.",
    words: ["uses it", "chooses it", "pays for it"],
  },
  neighbor: { label: "Founders usually start with Build", path: "/build" },
  action: {
    title: "Tell us what you want to prove next",
    text: `A few lines about the idea and its stage are enough. A person reads them and replies within ${replyPromise}.`,
    label: "Talk about your startup",
    path: contactAddressFrom("/startups"),
  },
};
