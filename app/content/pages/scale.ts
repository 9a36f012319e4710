import type { OfferingPage } from "./offering-page";

/** Every word of the service page from traction to systems. */
export const scalePage: OfferingPage = {
  path: "/scale",
  line: "scale",
  label: "Scale",
  title: "Scale: from traction to systems",
  description:
    "From traction to systems: operating rhythm, revenue cycle, hospital sales, value-based contracts, monitored AI and an organization that can hand off.",
  headline: "Good results on ordinary days",
  lead: "Scale is the middle of our work: what a few people carry in their heads becomes method, software and measures that a newcomer can use.",
  offeringsTitle: "What we put in order with you",
  offerings: [
    {
      title: "Operating rhythm",
      text: "Weekly numbers, a monthly review, quarterly priorities, every decision written down with its owner. Kept up, the habit shows leaders a problem while it still concerns one team only.",
    },
    {
      title: "Revenue cycle repair",
      text: "We trace where claims stall between eligibility check and posted payment, sort denials by cause, fix the causes upstream and set a weekly target for claims that pass the first time.",
    },
    {
      title: "Selling to health systems",
      text: "A sales plan that follows the buyer’s calendar: budget season, value analysis committee, information security, legal, go-live. Each stage has a test for leaving it.",
    },
    {
      title: "Value-based contracts",
      text: "Before you share savings or take on losses we check attribution, baseline, risk adjustment and reserves, and model the year in which the sickest members arrive.",
    },
    {
      title: "AI in production",
      text: "A model leaves its trial with monitoring, a rollback, a record of versions and a change plan that says which updates need a fresh look by your clinicians, your customers or the FDA.",
    },
    {
      title: "Organization and handoff",
      text: "We draw the organization one size larger than today’s, write down what each seat decides, and move the founder’s daily tasks into those seats one by one, with dates.",
    },
  ],
  outcomeTitle: "What you have at the end",
  outcome:
    "A company whose quality does not depend on who is on duty, and whose leaders see a bad quarter coming while it can still be changed.",
  action: {
    title: "What works because of one person?",
    text: "Write to us about that person’s week. It is usually the shortest way to the first system worth building.",
    label: "Ask about Scale",
    path: "/contact",
  },
};
