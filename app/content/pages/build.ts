import { contactAddressFrom } from "~/lib/pages/contact-origin";
import type { OfferingPage } from "./offering-page";

/** All texts of the service page from idea to first customers. */
export const buildPage: OfferingPage = {
  path: "/build",
  line: "build",
  label: "Build",
  title: "Build: from idea to first customers",
  description:
    "From idea to first customers in healthcare: buyer interviews, FDA pathway, clinical validation, reimbursement map, EHR integration and a first contract.",
  headline: "An idea, tested until someone signs",
  lead: "Build is the first part of our work, in healthcare and wellness alike: enough evidence, product and paperwork for a careful buyer to say yes and mean it.",
  offeringsTitle: "What we build with you",
  offerings: [
    {
      title: "Problem and buyer interviews",
      text: "On the hospital floor and in the budget office, written up word for word. You learn what people do today, what it costs them and how many have to agree before anything changes.",
    },
    {
      title: "Regulatory pathway",
      text: "Medical device or wellness product? Exempt, 510(k) or De Novo? One line of marketing can change the answer.",
    },
    {
      title: "Clinical validation plan",
      text: "Endpoints a payer values, a sample size with its reasoning, ethics review (IRB) early, and a willing site.",
    },
    {
      title: "Reimbursement map",
      text: "Coverage, coding and payment are three decisions by different bodies. We chart each, and who pays meanwhile.",
    },
    {
      title: "Product and integration design",
      text: "Where the first release sits on the clinician’s screen, and what happens when the record system is down.",
    },
    {
      title: "First customer agreement",
      text: "Scope, security questionnaire, data rights, price after the trial: a first contract that serves as the second’s template.",
    },
  ],
  outcomeTitle: "What you have at the end",
  outcome: "A first customer who pays, uses the product on an ordinary Tuesday and will take a call from the next one.",
  drawing: {
    name: "signature",
    description: "A page with a few lines of text. The line runs on as the signature at its end.",
    words: ["first customer"],
  },
  neighbor: { label: "After Build: Scale", path: "/scale" },
  action: {
    title: "Who might sign first?",
    text: "Describe the customer you have in mind, and what stands between the two of you today.",
    label: "Ask about Build",
    path: contactAddressFrom("/build"),
  },
};
