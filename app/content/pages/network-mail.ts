import { company } from "../company";
import { networkPeriods } from "../facts";

/** Response to a mail program that stops the network's mail for its user. The same for an unknown link. */
export const networkStopText =
  `You get no more email from the investor network of ${company.name}. We delete what it keeps about you in ` +
  `${networkPeriods.stoppedDays} days. To take this back until then, open the link in any of its letters.\n`;

/** All texts of the page that the link in a letter opens. It shows no name and no address, because letters are forwarded. */
export const networkMailPage = {
  title: "Email from the investor network",
  lead: "Stop all email from our investor network, or get the link to the page where a member sees and changes what we keep.",
  stop: {
    title: "Stop all email",
    text: `We write to this member no more, and delete the entry ${networkPeriods.stoppedDays}\u00a0days later.`,
    button: "Stop all email",
  },
  stopped: {
    title: "All email is stopped",
    /** @param on and deletedOn: days in words */
    text: ({ on, deletedOn }: { on: string; deletedOn: string }) =>
      `We have written no more since ${on}, and delete the entry on ${deletedOn}. To take this back until then, get the link to the member’s page.`,
  },
  link: {
    title: "See, change or leave",
    text: `We email a new link to the member’s own address. It works for ${networkPeriods.pageLinkDays}\u00a0days and ends the earlier ones. We send one at most every ten minutes, and three a day; after email was stopped, only one.`,
    button: "Email the link",
  },
} as const;

/** The page of the link in the letter that an admin mails to herself before sending it. */
export const sampleLinkPage = {
  title: "This is the link of a trial letter",
  lead: "It opens nothing. In the letter that members get, each one’s link opens a page with a button that stops our email, and another that emails the link to the member’s own page.",
  links: [{ label: "Network, in the admin area", path: "/admin/network" }],
} as const;
