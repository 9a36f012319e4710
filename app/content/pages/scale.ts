import { contactAddressFrom } from "~/lib/pages/contact-origin";
import type { OfferingPage } from "./offering-page";

/** All texts of the service page from traction to systems. */
export const scalePage: OfferingPage = {
  path: "/scale",
  line: "scale",
  label: "Scale",
  title: "Scale: from traction to systems",
  description:
    "From traction to systems: operating rhythm, revenue cycle, hospital sales, value-based contracts, monitored AI and an organization that can hand off.",
  headline: "Good results on ordinary days",
  lead: "Scale is the middle part of our work: what a few people carry in their heads becomes methods, software and measures that a new hire can use.",
  offeringsTitle: "What we put in order with you",
  offerings: [
    {
      title: "Operating rhythm",
      text: "Weekly numbers, a monthly review, quarterly priorities, every decision written down with its owner. Kept up, the habit shows leaders a problem while it is still one team’s problem.",
    },
    {
      title: "Revenue cycle repair",
      text: "We trace where claims stall between eligibility check and posted payment, sort denials by cause, fix the causes upstream and set a weekly target for claims that are paid the first time.",
    },
    {
      title: "Selling to large buyers",
      text: "A sales plan that follows the buyer’s calendar: a health system’s budget season, value analysis committee and security review, or the renewal date of an employer that buys wellness benefits.",
    },
    {
      title: "Value-based contracts",
      text: "Before you share savings or take on losses, we check attribution, baseline, risk adjustment and reserves, and model the year in which the sickest members arrive.",
    },
    {
      title: "AI in production",
      text: "A model leaves its trial with monitoring, a rollback, a record of versions and a change plan that says which updates need a fresh look by your clinicians, your customers or the FDA.",
    },
    {
      title: "Organization and handoff",
      text: "We draw the org chart one size larger than today’s, write down what each seat decides, and move the founder’s daily tasks into those seats one by one, with dates.",
    },
  ],
  outcomeTitle: "What you have at the end",
  outcome:
    "A company whose quality does not depend on who is on duty, and whose leaders see a bad quarter coming while there is time to change it.",
  neighbor: { label: "After Scale: Value", path: "/value" },
  action: {
    title: "What works only because of one person?",
    text: "Tell us about that person’s week. It usually points straight to the first system worth building.",
    label: "Ask about Scale",
    path: contactAddressFrom("/scale"),
  },
};
