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
      text: "Payer mix and clinician retention in a clinic, repeat members in a wellness brand: we show what moves the price in your field, and what you can still change in the time you have.",
    },
    {
      title: "Quality of earnings rehearsal",
      text: "We walk through the report a buyer will order: revenue matched to cash, each one-time cost proven.",
    },
    {
      title: "Data room discipline",
      text: "An index that mirrors a buyer’s request list, patient data kept out, a document for every question.",
    },
    {
      title: "Capital structure",
      text: "Debt, private credit or equity: we model good years and bad, for you and your licensed advisors.",
    },
    {
      title: "Exit pathways",
      text: "A competitor, a fund, your managers, your family: how long you stay, and what an earn-out depends on.",
    },
    {
      title: "Diligence and closing support",
      text: "One question list for your counsel, accountants and bankers, and a plan for the first day after closing.",
    },
  ],
  outcomeTitle: "What you have at the end",
  outcome: "An owner who knows what the company is worth, why, and what would change it, before anyone makes an offer.",
  drawing: {
    name: "balance",
    description: "A balance with level pans: the price on one side, the proof on the other.",
    words: ["price", "proof"],
  },
  neighbor: { label: "Not there yet? Start with Scale", path: "/scale" },
  action: {
    title: "When do you want to have the choice?",
    text: "Preparing takes longer than selling. Write to us while a sale, a round or a succession is still just an idea.",
    label: "Ask about Value",
    path: contactAddressFrom("/value"),
  },
};
