import { company } from "../company";
import { replyWithinHours } from "../facts";
import type { NavigationLink } from "../navigation";
import type { LineVariation, Offering } from "./offering-page";

/** A card that leads to a page. */
export interface PageCard extends NavigationLink {
  readonly text: string;
}

/** A card whose segment of the line joins its neighbors'. */
export interface ServiceCard extends PageCard {
  readonly line: Extract<LineVariation, "build" | "scale" | "value">;
}

const serviceCards: readonly ServiceCard[] = [
  {
    path: "/build",
    line: "build",
    label: "Build",
    text: "From an idea to the first customers: evidence of need, a product that fits a clinic’s day, and the rules settled before they cost money.",
  },
  {
    path: "/scale",
    line: "scale",
    label: "Scale",
    text: "From early traction to systems that run without heroics: revenue cycle, integration, people, reporting, and AI that someone watches.",
  },
  {
    path: "/value",
    line: "value",
    label: "Value",
    text: "From a business to an asset: earnings that survive scrutiny, capital on terms you understand, an exit prepared before it is needed.",
  },
];

const audienceCards: readonly PageCard[] = [
  {
    path: "/startups",
    label: "Startups & Founders",
    text: "You have an idea, perhaps a prototype, and must show that someone will use it and someone will pay.",
  },
  {
    path: "/small-business",
    label: "Small & Mid-Sized Businesses",
    text: "You own a practice, a clinic or a wellness company that works, and it works mostly because you are there.",
  },
  {
    path: "/growth-stage",
    label: "Growth-Stage Companies",
    text: "Demand has arrived, and the spreadsheets, habits and handoffs that brought you here are giving way.",
  },
  {
    path: "/enterprises",
    label: "Enterprises & Health Systems",
    text: "You have patients, data and a reputation, and want new ventures and AI without putting any of the three at risk.",
  },
];

/** The four points of REQUIREMENTS 2.4, word for word. */
const edgePoints: readonly Offering[] = [
  {
    title: "20+ years of proven execution",
    text: "More than two decades of starting, running and growing ventures stand behind the advice, so it arrives with the steps to carry it out.",
  },
  {
    title: "Fractional access to elite experts",
    text: "Senior specialists for as long as a question lasts: reimbursement this month, security the next, and no extra executive on the payroll.",
  },
  {
    title: "Faster execution with lower risk",
    text: "We look for the slowest step first, be it a security review, a payer contract or an ethics board, and start it early; doubtful assumptions are tested while that is cheap.",
  },
  {
    title: "AI readiness from day one",
    text: "Rights to data, human oversight and measures of success are settled at the start, so that adopting AI later is a decision and not a rebuild.",
  },
];

/** Every word of the home page; `id`s are the anchors that the header's links name. */
export const homePage = {
  path: "/",
  title: "Strategic advisory and AI transformation",
  description: `${company.name} advises healthcare and wellness ventures on strategy, capital and AI: startups, owners, growing companies, health systems, investors.`,
  headline: "Strategic advisory and AI transformation for healthcare and wellness",
  lead: "We work beside founders, owners, boards and investors, from the first interview with a clinician to the last page of a data room.",
  primary: { label: "Contact Us", path: "/contact" },
  secondary: { label: "See what we do", path: "/#services" },
  services: {
    id: "services",
    title: "What We Do",
    lead: "One line of work in three parts. Join it at any point; you need only the part that you are in.",
    cards: serviceCards,
  },
  audiences: {
    id: "who-we-serve",
    title: "Who We Serve",
    lead: "A clinic owner who plans to retire and a health system that plans a spin-off need different people in the room. Choose the page that was written for you.",
    cards: audienceCards,
  },
  edge: {
    title: "Our Edge",
    lead: "Four things that hold in every engagement, whatever its size.",
    points: edgePoints,
  },
  closing: {
    title: "Tell us where you stand",
    text: `Write in your own words, at any stage. You will have a reply within ${replyWithinHours} hours.`,
    primary: { label: "Contact Us", path: "/contact" },
    secondary: { label: "About the firm", path: "/about" },
  },
} as const;
