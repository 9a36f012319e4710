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
  offeringsTitle: "From referral to board report",
  offerings: [
    {
      title: "Process automation",
      text: "We map one process from end to end, say from referral to paid claim, count its handoffs and automate the steps that follow rules. The steps that need judgment stay with people.",
    },
    {
      title: "Infrastructure scaling",
      text: "Hospital interfaces built once (FHIR, HL7), recovery that was rehearsed, cloud costs traced to the customer behind them.",
    },
    {
      title: "Team building",
      text: "Which role comes next, when a fractional leader hands over, and who is credentialed before the first visit.",
    },
    {
      title: "Revenue operations",
      text: "Sales, customer success and finance share one meaning of “booked”; a signed hospital can be months from live.",
    },
    {
      title: "Data-driven decisions",
      text: "A few measures, such as days until a claim is paid, each with one definition and one owner.",
    },
    {
      title: "Market expansion",
      text: "A new state changes licenses, Medicaid and who may own a practice. We plan the first in detail.",
    },
    {
      title: "Investor relations and board",
      text: "A board package a week early that opens with the bad news, and a plain monthly letter.",
    },
    {
      title: "Partnerships and M&A",
      text: "Build, buy or partner: one page of arguments each, and the integration planned before you sign.",
    },
    {
      title: "Risk and compliance",
      text: "SOC 2 or HITRUST, coding audits, breach drills, a register of AI models: one calendar, named owners.",
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
