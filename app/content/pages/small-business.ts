import { contactAddressFrom } from "~/lib/pages/contact-origin";
import type { OfferingPage } from "./offering-page";

/** All texts of the page for small and mid-sized businesses; REQUIREMENTS 2.5 lists its eight topics. */
export const smallBusinessPage: OfferingPage = {
  path: "/small-business",
  line: "rhythm",
  label: "Small & Mid-Sized Businesses",
  title: "Advisory for small health businesses",
  description:
    "For owners of practices, clinics and wellness companies: revenue, automation, AI, valuation, access to capital, retirement plans and partnerships.",
  headline: "Build a business that outlasts its owner",
  lead: "For practices, clinics, home-care agencies and wellness companies whose owners want steadier income, fewer late evenings and, one day, a choice of buyers.",
  offeringsTitle: "Eight ways we work with owners",
  offerings: [
    {
      title: "Revenue expansion",
      text: "We read your claims before your marketing: denials, outdated fee schedules, work you do but never bill, such as chronic care management. Only then do we add patients, services or a wellness program.",
    },
    {
      title: "Workflow automation",
      text: "Eligibility checks, reminders, intake forms and prior authorization requests come off the front desk one at a time. We measure each in staff hours, before and after.",
    },
    {
      title: "AI integration",
      text: "Ambient notes, call handling, coding suggestions: we shortlist vendors that sign a BAA, try one tool with willing clinicians, and keep a named person responsible for what is filed.",
    },
    {
      title: "Valuation and M&A preparation",
      text: "We look at the business as a buyer would: your own pay at market rate, add-backs with receipts, dependence on one referral source. We fix what we find before a quality of earnings report puts a price on it.",
    },
    {
      title: "Access to capital",
      text: "Bank loan, SBA loan, equipment lease or a line secured on receivables: we compare cost, covenants and personal guarantees, and prepare the package a lender will ask for.",
    },
    {
      title: "Leadership development",
      text: "A great clinician may never have been taught to manage. We coach practice managers and clinical leads in hiring, hard conversations and reading a monthly profit and loss statement.",
    },
    {
      title: "Retirement and 401(k) strategy",
      text: "Safe harbor 401(k), profit sharing, cash balance plan: we lay out what each asks of you and gives your staff, so your licensed plan and tax advisors can start from a clear question.",
    },
    {
      title: "Strategic partnerships",
      text: "Referral networks, a management services organization, a joint venture with a hospital: we test each for control, fair market value and exit terms before your counsel drafts a word.",
    },
  ],
  outcomeTitle: "The outcome",
  outcome:
    "A business with steadier earnings, shorter days for its owner, and books that a lender or buyer can follow without an explanation.",
  drawing: {
    name: "owner",
    description:
      "On the left, everything hangs on a dot in the middle, the owner. On the right, all is joined without it, and the dot stands outside.",
    words: ["runs on its owner", "runs on its systems"],
  },
  neighbor: { label: "Owners usually start with Scale", path: "/scale" },
  action: {
    title: "Start with the month you just closed",
    text: "Tell us what you own, where the income comes from and what you would change first. You don’t need to prepare anything.",
    label: "Talk about your business",
    path: contactAddressFrom("/small-business"),
  },
};
