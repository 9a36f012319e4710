import { investorWishAddresses } from "~/lib/pages/contact-origin";

/** The six types of investors in REQUIREMENTS 1.2. The first of each list leads; the others have at most 18 words. */
const investorTypes = [
  {
    title: "Angel investors",
    text: "You bring judgment and introductions, and may not have a week for diligence. In a few pages, we set out the buyer, the evidence, the regulation, the terms and what is still unknown.",
  },
  {
    title: "Credentialed investors",
    text: "A Series 7, 65 or 82 license can make you accredited. We add how care is paid for.",
  },
  {
    title: "Family offices",
    text: "We check reputation, governance and control as closely as numbers, and can stay close to the company afterward.",
  },
  {
    title: "Venture and private equity firms",
    text: "A second opinion from outside the deal team: payment, integration, coding, AI. Findings ranked, each with its reason.",
  },
  {
    title: "Private credit lenders",
    text: "How fast each payer really pays, what can be clawed back, and how near the covenants are to breaking.",
  },
  {
    title: "Corporate venture arms",
    text: "Terms that leave the company free to sell to others, and a business unit that tries the product.",
  },
];

const reasons = [
  {
    title: "One diligence list",
    text: "Evidence, regulation, reimbursement, security and market sit on one list of questions, so that no specialist’s finding is lost between two reports.",
  },
  {
    title: "Plans read by operators",
    text: "We read a plan as those who must carry it out: hires, integrations, payer contracts, dates.",
  },
  {
    title: "Companies that come prepared",
    text: "They bring an indexed data room, a traceable model, a list of open risks. Hold us to that.",
  },
  {
    title: "AI claims examined",
    text: "Data rights, results by patient group, monitoring. A claim that rests on a demo gets a flag.",
  },
  {
    title: "Syndication support",
    text: "Several investors, one deal: they share diligence, calendar and open questions. Each decides alone, with its own counsel.",
  },
  {
    title: "Help after closing",
    text: "A 100-day plan, a fractional executive for an empty seat, the same measures each quarter, good or bad.",
  },
];

/** The seven areas of investment, each with a question. */
const focusAreas = [
  { title: "Digital health platforms", text: "Who would notice on the day it was switched off?" },
  { title: "Clinical and administrative AI", text: "Who answers for an error, and does the contract say so?" },
  { title: "Care delivery models", text: "What does a visit earn once the clinician is paid?" },
  { title: "Behavioral health", text: "Can it recruit and keep clinicians as fast as it finds patients?" },
  { title: "Devices and diagnostics", text: "Is the use that was cleared the one that the sales plan needs?" },
  { title: "Wellness and longevity", text: "Which claims rest on evidence, and which would interest the FTC?" },
  { title: "Healthcare infrastructure", text: "How many systems must a customer change to start, and to leave?" },
];

const actions = {
  primary: { label: "Join the investor network", path: investorWishAddresses.network },
  secondary: { label: "Ask about diligence", path: investorWishAddresses.diligence },
};

/**
 * All texts of the investors page. Each button leads to a variant of the contact page for investors (REQUIREMENTS 2.9).
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
  actions,
  network: {
    title: "The investor network",
    points: [
      {
        title: "What members get",
        text: "A few letters a year by email, in plain text without trackers, and a page that shows what we keep about them.",
      },
      {
        title: "Who is in it",
        text: "It is open to angels, credentialed investors, family offices, funds, lenders and corporate venture arms. We read each request ourselves, and members don’t see one another.",
      },
      {
        title: "What it costs",
        text: "Nothing, and no commitment. You confirm by email, and leave with the link in any letter.",
      },
    ],
  },
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
    ...actions,
  },
} as const;
