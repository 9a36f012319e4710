import { contactAddressFrom } from "~/lib/pages/contact-origin";
import type { OfferingPage } from "./offering-page";

/** All texts of the service page from business to asset, exit and capital. */
export const valuePage: OfferingPage = {
  path: "/value",
  line: "value",
  label: "Value",
  title: "Value: from business to asset",
  description:
    "From business to asset: valuation drivers, quality of earnings, data room, capital structure, exit pathways and diligence support in healthcare.",
  headline: "A business that stands up to scrutiny",
  lead: "Value is the last part of our work: a healthcare or wellness company made ready to be valued, financed, sold or passed on, by an owner who knows the terms and chooses the timing.",
  offeringsTitle: "What we prepare with you",
  offerings: [
    {
      title: "Valuation drivers",
      text: "Payer mix and clinician retention in a clinic, repeat members and proven claims in a wellness brand: we show what moves the multiple in your field, and what you can change in the time you have.",
    },
    {
      title: "Quality of earnings rehearsal",
      text: "We walk through the report a buyer will commission: revenue matched to cash, reserves for denials and refunds, one-time costs proven, a fair level of working capital.",
    },
    {
      title: "Data room discipline",
      text: "An index that mirrors a buyer’s request list, an owner for each folder, patient data kept out, contracts read for change-of-control clauses, so that every question leads to a document.",
    },
    {
      title: "Capital structure",
      text: "Senior debt, private credit, minority equity or a mix: we model dilution, covenants and preferences in good years and bad, for you to weigh with your licensed advisors.",
    },
    {
      title: "Exit pathways",
      text: "Strategic buyer, private equity, management, employees, family: what each asks of you, how long you stay, how much you roll over and what an earn-out really depends on.",
    },
    {
      title: "Diligence and closing support",
      text: "We keep the question list and timeline for your counsel, accountants and bankers, and plan payer notices, enrollment changes and messages to staff for the first day after closing.",
    },
  ],
  outcomeTitle: "What you have at the end",
  outcome: "An owner who knows what the company is worth, why, and what would change it, before anyone makes an offer.",
  neighbor: { label: "Not there yet? Start with Scale", path: "/scale" },
  action: {
    title: "When do you want to have the choice?",
    text: "Preparing takes longer than selling. Write to us while a sale, a round or a succession is still just an idea.",
    label: "Ask about Value",
    path: contactAddressFrom("/value"),
  },
};
