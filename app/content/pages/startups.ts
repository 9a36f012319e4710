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
  offeringsTitle: "Nine ways we work with founders",
  offerings: [
    {
      title: "Market validation",
      text: "We interview the clinician who would use it, the administrator who would sign for it and the payer who would cover it, and write down in advance which answers should make you stop.",
    },
    {
      title: "MVP strategy",
      text: "A first version small enough to build and sound enough to trust: one clinical question, one workflow, and synthetic data until a business associate agreement (BAA) allows real records.",
    },
    {
      title: "Pitch deck and business model",
      text: "A deck that says who pays, from which budget or billing code, and when. Behind it is a financial model that lets an investor trace and change every assumption.",
    },
    {
      title: "Fundraising preparation",
      text: "We prepare the round with you: the instrument, the cap table after every note converts, the data room, the hard questions. You lead each conversation; your counsel drafts the documents.",
    },
    {
      title: "Fractional leadership",
      text: "A finance, clinical, product or operations leader for as many days a month as you need, with authority agreed in writing and a plan to hand over to your first full-time hire.",
    },
    {
      title: "AI readiness",
      text: "Before a model touches patient data, we settle what it may learn from, who reviews its output and how you would notice drift. A hospital’s security team will ask about all three.",
    },
    {
      title: "Operations from day one",
      text: "Vesting, 83(b) elections filed within 30 days, inventions assigned to the company, contracts in one place: with your counsel, we get the small documents in order before a missing one stops a large deal.",
    },
    {
      title: "Go-to-market plan",
      text: "One named segment, be it a hospital department or the members of a wellness program; a pilot with success defined before it starts; then security review, contract, record access and rollout.",
    },
    {
      title: "Compliance groundwork",
      text: "HIPAA or the FTC’s breach rule, FDA device or general wellness product, SOC 2 now or next year: we sort out what applies to you and plan it in the order buyers will ask for it.",
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
