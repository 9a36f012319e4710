import type { OfferingPage } from "./offering-page";

/** Every word of the service page from idea to first customers. */
export const buildPage: OfferingPage = {
  path: "/build",
  line: "build",
  label: "Build",
  title: "Build: from idea to first customers",
  description:
    "From idea to first customers in healthcare: buyer interviews, FDA pathway, clinical validation, reimbursement map, EHR integration and a first contract.",
  headline: "An idea, tested until someone signs",
  lead: "Build is the first part of our work: as much evidence, product and paper as a careful buyer needs to say yes and mean it.",
  offeringsTitle: "What we build with you",
  offerings: [
    {
      title: "Problem and buyer interviews",
      text: "Structured conversations on the ward and in the budget office, written up word for word. You learn what people do today, what it costs them and who must agree to a change.",
    },
    {
      title: "Regulatory pathway",
      text: "Is your software a medical device? With regulatory counsel we frame the intended use, compare exempt, 510(k) and De Novo routes, and show how one line of marketing can change the answer.",
    },
    {
      title: "Clinical validation plan",
      text: "From accuracy on past records to a prospective study: endpoints that a payer values, a sample size with its reasoning, an ethics review booked early, and a site that has agreed to take part.",
    },
    {
      title: "Reimbursement map",
      text: "Coverage, coding and payment are three separate decisions by different bodies. We chart all three for your product, and what will pay for the work while a CPT code is still missing.",
    },
    {
      title: "Product and integration design",
      text: "Where the first release sits on the clinician’s screen, which FHIR resources it reads, what it writes back, and what the ward does on the day that the record system is down.",
    },
    {
      title: "First customer agreement",
      text: "Scope, security questionnaire, rights to data, and the price for the day after the trial ends. We prepare your side of the table, so that the first contract can be a pattern for the second.",
    },
  ],
  outcomeTitle: "What you have at the end",
  outcome: "A first customer who pays, uses the product on an ordinary Tuesday and will take a call from the next one.",
  action: {
    title: "Who might sign first?",
    text: "Describe the customer you have in mind, and what stands between the two of you today.",
    label: "Ask about Build",
    path: "/contact",
  },
};
