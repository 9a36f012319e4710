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
  offeringsTitle: "From the claims you file to the day you sell",
  offerings: [
    {
      title: "Revenue expansion",
      text: "We read your claims before your marketing: visits denied, fee schedules never updated, work you do and never bill, such as monthly calls with chronic patients. Only then do we add patients, services or a wellness program.",
    },
    {
      title: "Workflow automation",
      text: "Eligibility checks, reminders and intake forms leave the front desk one at a time, measured in staff hours.",
    },
    {
      title: "AI integration",
      text: "One tool, say notes written from the conversation, with willing clinicians; a named person answers for every record.",
    },
    {
      title: "Valuation and M&A preparation",
      text: "Your books as a buyer reads them: your pay at market rate, every one-time cost with its receipt.",
    },
    {
      title: "Access to capital",
      text: "Bank or SBA loan, lease, credit line: what each costs, what it forbids, what you pledge personally.",
    },
    {
      title: "Leadership development",
      text: "Practice managers learn to hire, to hold the hard conversation and to read a profit and loss statement.",
    },
    {
      title: "Retirement and 401(k) strategy",
      text: "What a 401(k), profit sharing or a pension-like plan asks of you, ready for your licensed plan advisor.",
    },
    {
      title: "Strategic partnerships",
      text: "A referral network or a joint venture with a hospital, tested for control, fair price and way out.",
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
