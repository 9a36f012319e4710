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
      text: "Structured conversations on the hospital floor and in the budget office, written up word for word. You learn what people do today, what it costs them and who has to agree to a change.",
    },
    {
      title: "Regulatory pathway",
      text: "Is it a medical device or a general wellness product? With regulatory counsel, we frame the intended use, compare exempt, 510(k) and De Novo routes, and show how one line of marketing can change the answer.",
    },
    {
      title: "Clinical validation plan",
      text: "From accuracy on past records to a prospective study: endpoints that a payer values, a sample size with its reasoning, IRB review scheduled early, and a site that has agreed to take part.",
    },
    {
      title: "Reimbursement map",
      text: "Coverage, coding and payment are three separate decisions by different bodies. We chart all three for your product, and who will pay as long as there is no CPT code.",
    },
    {
      title: "Product and integration design",
      text: "Where the first release sits on the clinician’s screen, which FHIR resources it reads, what it writes back, and what the care team does on the day the EHR is down.",
    },
    {
      title: "First customer agreement",
      text: "Scope, security questionnaire, data rights, and the price once the trial ends. We prepare your side of the table, so the first contract can serve as the template for the second.",
    },
  ],
  outcomeTitle: "What you have at the end",
  outcome: "A first customer who pays, uses the product on an ordinary Tuesday and will take a call from the next one.",
  neighbor: { label: "After Build: Scale", path: "/scale" },
  action: {
    title: "Who might sign first?",
    text: "Describe the customer you have in mind, and what stands between the two of you today.",
    label: "Ask about Build",
    path: contactAddressFrom("/build"),
  },
};
