import { contactAddressFrom } from "~/lib/pages/contact-origin";
import { company, replyPromise } from "../company";
import { howItStarts } from "../how-it-starts";

const serviceCards = [
  {
    path: "/build",
    line: "build",
    label: "Build",
    text: "From idea to first customers: evidence of need, a product that fits a clinic’s day, and regulatory questions settled before they get expensive.",
    more: "The six parts of Build",
  },
  {
    path: "/scale",
    line: "scale",
    label: "Scale",
    text: "From early traction to systems that run without heroics: revenue cycle, integration, people, reporting, and AI that someone monitors.",
    more: "The six parts of Scale",
  },
  {
    path: "/value",
    line: "value",
    label: "Value",
    text: "From business to asset: earnings that survive scrutiny, capital on terms you understand, and an exit you prepared before you needed it.",
    more: "The six parts of Value",
  },
] as const;

const audienceCards = [
  {
    path: "/startups",
    label: "Startups & Founders",
    text: "You have an idea, maybe a prototype, and need to show that someone will use it and someone will pay for it.",
    more: "For founders",
  },
  {
    path: "/small-business",
    label: "Small & Mid-Sized Businesses",
    text: "You own a practice, a clinic or a wellness company that works, and it works mostly because you are there.",
    more: "For owners",
  },
  {
    path: "/growth-stage",
    label: "Growth-Stage Companies",
    text: "Demand is here, and the spreadsheets, habits and handoffs that got you this far are starting to break.",
    more: "For growing companies",
  },
  {
    path: "/enterprises",
    label: "Enterprises & Health Systems",
    text: "You have patients, data and a reputation, and you want new ventures and AI that put none of the three at risk.",
    more: "For institutions",
  },
];

/** The four points of REQUIREMENTS 2.4, verbatim. */
const edgePoints = [
  {
    title: "20+ years of proven execution",
    text: "More than two decades of starting and running ventures taught us to end all advice with a list: who does what, by when, at what cost.",
  },
  {
    title: "Fractional access to elite experts",
    text: "A reimbursement specialist for two days, a security lead for a quarter, no extra executive on the payroll.",
  },
  {
    title: "Faster execution with lower risk",
    text: "We start the slowest step first: a security review, a payer contract, an ethics board’s approval.",
  },
  {
    title: "AI readiness from day one",
    text: "Data rights, human oversight and success are settled first. Adopting AI later is a decision, not a rebuild.",
  },
];

/** The promised time, unless one of the steps above the closing call names it. */
const promise = howItStarts?.steps.some((step) => step.includes(replyPromise))
  ? ""
  : ` You will hear from us within ${replyPromise}.`;

/** All texts of the home page. `id`s are the anchors of the header's links. */
export const homePage = {
  path: "/",
  title: "Strategic advisory and AI transformation",
  description: `${company.name} advises healthcare and wellness ventures on strategy, capital and AI: startups, owners, growing companies, health systems, investors.`,
  headline: "Strategic advisory and AI transformation for healthcare and wellness",
  lead: "Hospitals, payers and regulators ask for proof. We help you bring it, from the first interview with a clinician to the last page of a data room.",
  primary: { label: "Contact Us", path: contactAddressFrom("/") },
  secondary: { label: "See what we do", path: "/#services" },
  services: {
    id: "services",
    title: "What We Do",
    lead: "Founders usually start with Build, owners with Scale. A sale or a round starts with Value.",
    cards: serviceCards,
  },
  audiences: {
    id: "who-we-serve",
    title: "Who We Serve",
    lead: "A clinic owner planning to retire and a health system planning a spin-off need different people in the room. Choose the page written for you.",
    cards: audienceCards,
  },
  edge: {
    title: "Our Edge",
    points: edgePoints,
  },
  closing: {
    title: "Tell us where you stand",
    text: `Write in your own words, at any stage.${promise}`,
    primary: { label: "Contact Us", path: contactAddressFrom("/") },
    secondary: { label: "About the firm", path: "/about" },
  },
} as const;
