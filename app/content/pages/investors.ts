import { investorContactAddress, investorWishAddresses } from "~/lib/pages/contact-origin";

/** The six types of investors in REQUIREMENTS 1.2. */
const investorTypes = [
  {
    title: "Angel investors",
    text: "You bring judgment and introductions, and may not have a week for diligence. In a few pages, we set out the buyer, the evidence, the regulation, the terms and what is still unknown.",
  },
  {
    title: "Credentialed investors",
    text: "A Series 7, 65 or 82 license in good standing can make a person an accredited investor under SEC rules. We add what those exams leave out: how care is bought, coded and paid for.",
  },
  {
    title: "Family offices",
    text: "Patient capital and a name to protect. We look at reputation, governance and control as closely as at the numbers, and can stay close to the company on the family’s behalf.",
  },
  {
    title: "Venture and private equity firms",
    text: "A second opinion from outside the deal team: reimbursement risk, integration effort, coding practices, AI claims checked against the data. Findings come ranked, each with its reason.",
  },
  {
    title: "Private credit lenders",
    text: "In healthcare, cash comes late and in part. We help you read receivables by payer, the risk that payments are clawed back, covenant headroom, and what a change of control does to licenses.",
  },
  {
    title: "Corporate venture arms",
    text: "Your investment has to serve two plans. We help set terms that leave the company free to sell to others, and a path for a business unit to actually try the product.",
  },
];

const reasons = [
  {
    title: "Plans read by operators",
    text: "We read a plan as the people who would have to carry it out: hires, integrations, payer contracts and dates, each checked against what has to come first.",
  },
  {
    title: "Companies that come prepared",
    text: "A venture that has worked with us should bring an indexed data room, a model you can trace and a plain list of its open risks. Hold us to that.",
  },
  {
    title: "One diligence list",
    text: "Evidence, regulation, reimbursement, security and market sit on one list of questions, so that no specialist’s finding is lost between two reports.",
  },
  {
    title: "AI claims examined",
    text: "We ask about rights to the training data, validation by patient group, monitoring and the cost of a wrong answer, and flag every claim that rests on a demo alone.",
  },
  {
    title: "Syndication support",
    text: "Lead and co-investors share diligence, a calendar and one set of open questions, which we keep. Each investor decides independently and signs with its own counsel.",
  },
  {
    title: "Help after closing",
    text: "A plan for the first 100 days, a fractional executive where a seat is empty, and board reports that keep the same measures from quarter to quarter, good or bad.",
  },
];

const focusAreas = [
  {
    title: "Digital health platforms",
    text: "Software for patients and care teams. Does it sit in the daily workflow, and who would notice on the day it was switched off?",
  },
  {
    title: "Clinical and administrative AI",
    text: "Documentation, triage, imaging, coding, prior authorization. Who answers for an error, and does the contract say so?",
  },
  {
    title: "Care delivery models",
    text: "Clinics, virtual and home-based care. What does a visit earn once the clinician is paid, and how does that differ by payer?",
  },
  {
    title: "Behavioral health",
    text: "Therapy, psychiatry, addiction care. Can it recruit and keep licensed clinicians as fast as it finds patients?",
  },
  {
    title: "Devices and diagnostics",
    text: "Hardware, laboratory tests, software as a medical device. Is the use that was cleared the one that the sales plan needs?",
  },
  {
    title: "Wellness and longevity",
    text: "Nutrition, fitness, sleep, prevention. Which claims rest on evidence, and which would interest the Federal Trade Commission?",
  },
  {
    title: "Healthcare infrastructure",
    text: "Revenue cycle, data exchange, staffing, supply. How many systems must a customer change in order to start, and in order to leave?",
  },
];

const heroActions = [
  { label: "Join the investor network", path: investorWishAddresses.network },
  { label: "Ask about diligence", path: investorWishAddresses.diligence },
];

/**
 * All texts of the investors page. Each button leads to the investors' variant of the contact page (REQUIREMENTS 2.9).
 */
export const investorsPage = {
  path: "/investors",
  label: "Investors",
  title: "For investors in healthcare ventures",
  description:
    "Advisory, diligence and syndication support for angels, credentialed investors, family offices, funds, lenders and corporate venture in healthcare.",
  headline: "See a healthcare venture as an operator does",
  lead: "We prepare companies for scrutiny and help investors apply it: clinical and commercial diligence, syndication support, and work with the company after closing.",
  drawing: {
    name: "checklist",
    description: "A list of five items. Four have ticks; one has an empty circle, where the line ends.",
    words: ["still open"],
  },
  heroActions,
  types: { title: "Six kinds of investor", items: investorTypes },
  reasons: { title: "Six reasons to partner", items: reasons },
  focus: {
    title: "Where we look",
    lead: "Seven fields, each with the first question we ask.",
    items: focusAreas,
  },
  compliance: {
    title: "What we do, and what we don’t do",
    text: "We provide advisory, diligence and syndication support. We are not a broker-dealer, provide no broker-dealer services, and do not buy, sell or place securities for others. Nothing on this site is an offer to sell or a solicitation to buy a security, nor investment, legal or tax advice. Investments in private companies can lose all of their value: consult your own licensed advisors before you decide.",
  },
  neighbor: { label: "Preparing a company for investors: Value", path: "/value" },
  closing: {
    title: "Tell us what you are looking for",
    text: "The field, the stage, and the part of diligence that takes you the most time. Joining the network commits you to nothing.",
    label: "Contact Us",
    path: investorContactAddress,
  },
} as const;
