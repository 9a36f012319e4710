import { replyWithinHours } from "../facts";
import type { OfferingPage } from "./offering-page";

/** Every word of the page for startups and founders; REQUIREMENTS 2.5 lists its nine topics. */
export const startupsPage: OfferingPage = {
  path: "/startups",
  line: "spark",
  label: "Startups & Founders",
  title: "Advisory for healthcare startups",
  description:
    "For founders in healthcare and wellness: market validation, MVP, pitch, fundraising preparation, compliance and AI readiness, with senior help by the day.",
  headline: "Prove the need before you build the product",
  lead: "In healthcare the person who uses a product, the one who chooses it and the one who pays are rarely the same. We help founders win all three, in the right order.",
  offeringsTitle: "Nine ways we work with founders",
  offerings: [
    {
      title: "Market validation",
      text: "We question the clinician who would use it, the administrator who would sign and the payer who would cover it, and write down beforehand which answers should make you stop.",
    },
    {
      title: "MVP strategy",
      text: "A first version small enough to build and sound enough to trust: one clinical question, one workflow, and synthetic data until a business associate agreement (BAA) allows real records.",
    },
    {
      title: "Pitch deck and business model",
      text: "A deck that says who pays, from which budget or billing code, and when. Behind it stands a financial model in which an investor can trace and change every assumption.",
    },
    {
      title: "Fundraising preparation",
      text: "We prepare the round with you: the instrument, the cap table after every note converts, the data room, the hard questions. You lead each conversation, and your counsel papers it.",
    },
    {
      title: "Fractional leadership",
      text: "A finance, clinical, product or operations leader for the days a month you need one, with authority agreed in writing and a plan to hand over to your first full-time hire.",
    },
    {
      title: "AI readiness",
      text: "Before a model touches patient data we settle what it may learn from, who reviews its output and how you would notice that it has drifted. A hospital’s security team will ask all three.",
    },
    {
      title: "Operations from day one",
      text: "Vesting, 83(b) elections filed within thirty days, inventions assigned to the company, contracts in one place: with your counsel we put in order the small papers whose absence stops large deals.",
    },
    {
      title: "Go-to-market plan",
      text: "One named segment, a pilot whose measure of success is agreed before it starts, and the steps that follow: security review, contract, access to the health record, rollout.",
    },
    {
      title: "Compliance groundwork",
      text: "HIPAA or the FTC’s breach rule, FDA device or general wellness, SOC 2 now or next year: we sort what applies to you from what does not, and plan it in the order that buyers ask.",
    },
  ],
  outcomeTitle: "The outcome",
  outcome:
    "A company that can say what it solves, who pays for it and what it has proved, and can show the papers behind each answer.",
  action: {
    title: "Tell us what you want to prove next",
    text: `A few lines about the idea and its stage are enough. A person reads them and replies within ${replyWithinHours} hours.`,
    label: "Talk about your startup",
    path: "/contact",
  },
};
