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
      text: "Weekly numbers, a monthly review, quarterly priorities, each decision written down with its owner. Leaders see a problem while it is still one team’s problem.",
    },
    {
      title: "Revenue cycle repair",
      text: "We trace where claims stall, fix the causes of denials, and count the claims paid the first time.",
    },
    {
      title: "Selling to large buyers",
      text: "A plan on the buyer’s calendar: budget season, security review, or the month an employer renews its benefits.",
    },
    {
      title: "Value-based contracts",
      text: "Paid by outcome? First we model the year when the sickest members arrive, and the reserves it takes.",
    },
    {
      title: "AI in production",
      text: "Monitoring, a way back, a record of versions, and a plan that says which updates clinicians check again.",
    },
    {
      title: "Organization and handoff",
      text: "The org chart one size larger than today’s; the founder’s daily tasks move into it, with dates.",
    },
  ],
  outcomeTitle: "What you have at the end",
  outcome:
    "A company whose quality does not depend on who is on duty, and whose leaders see a bad quarter coming while there is time to change it.",
  drawing: {
    name: "shifts",
    description: "A plan of three shifts: day, evening, night. The line passes from one to the next without a gap.",
    words: ["day", "evening", "night"],
  },
  neighbor: { label: "After Scale: Value", path: "/value" },
  action: {
    title: "What works only because of one person?",
    text: "Tell us about that person’s week. It usually points straight to the first system worth building.",
    label: "Ask about Scale",
    path: contactAddressFrom("/scale"),
  },
};
