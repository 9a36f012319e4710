import { otherName, noName } from "~/lib/day-counts";
import { retention } from "../facts";

/** Every word of the page about how often pages are viewed. */
export const numbersPage = {
  title: "Numbers",
  lead: `Counted by the server itself: without cookies, with nothing on anybody’s device, and with no address kept. Only sums of a day are stored, for ${retention.dayCountMonths}\u00a0months. They are at most about a minute old.`,
  period: { label: "Period", submit: "Show", week: "Last 7 days", month: "Last 30 days", year: "Last 13 months" },
  off: {
    title: "Nothing is counted",
    text: "This site uses a hosted project, and the setting SITE_KEY is missing. Tell whoever runs this site.",
  },
  nothing: "Nothing was counted in this time.",
  total: "Total",
  /** @param count the highest value of the line above the table */
  highest: (count: string, isByMonth: boolean) => `Highest: ${count} in a ${isByMonth ? "month" : "day"}.`,
  times: {
    title: "Views",
    columns: ["Views", "Arrivals", "Messages", "Fetched ahead", "Robots"],
    day: "Day",
    month: "Month",
    note: "Arrivals are views that began on another site or with a typed address. Browsers fetch pages ahead when a pointer rests on a link; some of these are then read without being asked for again. Robots are known by what they call themselves.",
  },
  pages: {
    title: "Pages",
    page: "Page",
    columns: ["Views", "Messages", "Fetched ahead", "Robots"],
    line: "The line shows messages.",
    note: "Messages are counted at the page whose link led to the contact form.",
    unknown: "Not known",
  },
  referrers: {
    title: "Where visitors came from",
    name: "Site or app",
    number: "Arrivals",
    note: "A name appears from 3 arrivals on, since anybody can make one up.",
    names: { [noName]: "Typed, saved, or not said", [otherName]: "Others" },
  },
  campaigns: {
    title: "Campaigns",
    name: "utm_campaign, or utm_source",
    number: "Views",
    note: "A name appears from 3 views on, since anybody can make one up.",
    names: { [otherName]: "Others" },
  },
  banner: {
    title: "Answers to the cookie notice",
    name: "Answer",
    number: "Times",
    names: { accept: "Accept all", reject: "Reject all", customize: "Customize and save", close: "Closed" },
  },
};
