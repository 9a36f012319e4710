import { contactAddressFrom } from "~/lib/pages/contact-origin";
import type { OfferingPage } from "./offering-page";

/** All texts of the page for growth-stage companies; REQUIREMENTS 2.5 lists its nine topics. */
export const growthStagePage: OfferingPage = {
  path: "/growth-stage",
  line: "climb",
  label: "Growth-Stage Companies",
  title: "Advisory for growth-stage companies",
  description:
    "For growing healthcare and wellness companies: process automation, infrastructure, teams, revenue operations, board reporting, M&A, risk and compliance.",
  headline: "Growth that your systems can carry",
  lead: "More sites, payers, patients and members expose every shortcut. We help leaders in healthcare and wellness replace what was improvised before a customer, an auditor or the board finds it.",
  offeringsTitle: "Nine ways we work with growing companies",
  offerings: [
    {
      title: "Process automation",
      text: "We map one process from end to end, say from referral to paid claim, count its handoffs and automate the steps that follow rules. What needs judgment stays with people.",
    },
    {
      title: "Infrastructure scaling",
      text: "FHIR and HL7 interfaces that do not have to be rebuilt for each hospital, recovery that has been tested, access logged by role, and cloud costs traced to the customer who causes them.",
    },
    {
      title: "Team building",
      text: "Which roles come next and in which order, when a fractional leader gives way to a full-time one, and how clinicians are licensed and credentialed before the first patient is booked.",
    },
    {
      title: "Revenue operations",
      text: "Sales, customer success and finance share one definition of pipeline, booking, go-live and revenue. A signed hospital contract can be months from a live one, and the forecast should show it.",
    },
    {
      title: "Data-driven decisions",
      text: "A short set of measures that board, clinic and product team read the same way: days in accounts receivable, retention by cohort, patient outcomes, each with a written definition and an owner.",
    },
    {
      title: "Market expansion",
      text: "A new state changes licensing, Medicaid rules and who may own a practice; a new wellness line changes which claims you may make. We rank markets by what would have to be true, and plan the first in detail.",
    },
    {
      title: "Investor relations and board",
      text: "A board package that arrives a week early and opens with the bad news, a plain monthly letter to investors, and minutes and option records that the next round can rely on.",
    },
    {
      title: "Partnerships and M&A",
      text: "Build, buy or partner: one page of arguments for each. For a target, we support diligence on contracts, coding, culture and systems, and plan the integration before you sign.",
    },
    {
      title: "Risk and compliance",
      text: "SOC 2 Type II or HITRUST for buyers, a HIPAA risk analysis that people use, coding audits, breach drills, a register of AI models: one calendar, named owners, evidence kept on the way.",
    },
  ],
  outcomeTitle: "The outcome",
  outcome:
    "A company that grows on systems instead of stamina, and meets its next investor, auditor or hospital with the evidence already on file.",
  drawing: {
    name: "capacity",
    description:
      "A curve rises, demand. It stays below the steps of a stair, systems, each of which is there before the curve reaches it.",
    words: ["systems", "demand"],
  },
  neighbor: { label: "Growing companies usually start with Scale", path: "/scale" },
  action: {
    title: "Name your weakest system",
    text: "Every growing company has one. Tell us yours, and we will tell you where we would start.",
    label: "Talk about your company",
    path: contactAddressFrom("/growth-stage"),
  },
};
