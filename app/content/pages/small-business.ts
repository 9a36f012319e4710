import type { OfferingPage } from "./offering-page";

/** Every word of the page for small and mid-sized businesses; REQUIREMENTS 2.5 lists its eight topics. */
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
      text: "We read your claims before your marketing: denials, old fee schedules, work you do and never bill, such as chronic care management. Only then do we add services or new patients.",
    },
    {
      title: "Workflow automation",
      text: "Eligibility checks, reminders, intake forms and prior authorization requests leave the front desk one at a time. Each is measured in staff hours, before and after.",
    },
    {
      title: "AI integration",
      text: "Ambient notes, call handling, coding suggestions: we shortlist vendors that sign a BAA, try one tool with willing clinicians, and keep a named person responsible for what is filed.",
    },
    {
      title: "Valuation and M&A preparation",
      text: "We look as a buyer would: your own pay at market rate, add-backs with receipts, reliance on one referrer. What we find is fixed before a quality of earnings report prices it.",
    },
    {
      title: "Access to capital",
      text: "Bank loan, SBA loan, equipment lease or a line secured on receivables: we compare cost, covenants and personal guarantees, and prepare the file that a lender will ask for.",
    },
    {
      title: "Leadership development",
      text: "A fine clinician may never have been taught to manage. We coach practice managers and clinical leads in hiring, hard conversations and reading a monthly profit and loss statement.",
    },
    {
      title: "Retirement and 401(k) strategy",
      text: "Safe harbor 401(k), profit sharing, cash balance plan: we lay out what each asks of you and gives your staff, so that your licensed plan and tax advisors can advise on a clear question.",
    },
    {
      title: "Strategic partnerships",
      text: "Referral networks, a management services organization, a joint venture with a hospital: we test each for control, fair market value and the way out before your counsel drafts a word.",
    },
  ],
  outcomeTitle: "The outcome",
  outcome:
    "A business with steadier earnings, lighter days, and books that a lender or a buyer can read without the owner in the room.",
  action: {
    title: "Begin with the month you just closed",
    text: "Say what you own, where its income comes from and what you would change first. No preparation is needed.",
    label: "Talk about your business",
    path: "/contact",
  },
};
