import { requireSiteUrl } from "../host/backend.ts";
import { setting } from "../host/runtime.ts";

/**
 * A mail to a member. The member's link stands between `body` and `closing`: `composeMessage` adds it when the mail is
 * sent, so that no stored text contains it.
 */
export interface MemberMail {
  subject: string;
  body: string;
  closing: string;
}

/** The site and the firm in whose name a mail is written. */
export interface MailSite {
  host: string;
  firm: string;
}

/** Writes a mail with a link to a member's page. None quotes any input, because anyone can enter another person's address. */
export type WriteNetworkMail = (site: MailSite) => MemberMail;

/** Periods that the mails name (private.retention_period; a test compares). */
export const networkMailPeriods = { confirmDays: 7, renewalDays: 60, pageLinkDays: 30 } as const;

/**
 * Writes a mail for an edge function.
 * @throws BackendUnavailable without the site's address, because the mail could contain no link
 */
export function composeNetworkMail(write: WriteNetworkMail): MemberMail {
  return write(nameSite(requireSiteUrl(), setting("FIRM_NAME")));
}

/** Names the site and the firm. @param firm defaults to the site's host */
export function nameSite(siteUrl: string, firm?: string): MailSite {
  const { host } = new URL(siteUrl);
  return { host, firm: firm ?? host };
}

/** Returns the address that a member's link opens. `letter`: stops mail; `page`: the member's own page. */
export function memberLink(to: "letter" | "page", token: string, siteUrl: string): string {
  return new URL(`${to === "letter" ? "/network/mail" : "/network"}?token=${token}`, siteUrl).href;
}

const { confirmDays, renewalDays, pageLinkDays } = networkMailPeriods;
const linkEnds = `The link works for ${pageLinkDays} days, or until we email you a newer one.`;
const keepSecret =
  "Do not forward this email: while the link works, anyone with it can see and change what we keep about you.";

/** Asks the holder of an address to confirm that they want to join. */
export const networkAskMail: WriteNetworkMail = ({ host, firm }) => ({
  subject: `Please confirm: the investor network of ${firm}`,
  body: `To join the investor network of ${firm}, open this link and press the button on the page:`,
  closing: `You get this email because someone, hopefully you, wrote to us at ${host} with this address and checked the box to join. Members get a few emails a year. We delete the request ${confirmDays} days after it was first made.

Once you have confirmed, the same link shows what we keep about you, and you can change it or leave. ${linkEnds} After that, get a new one at ${host}/network. ${keepSecret}

Not you? Do nothing. Unless someone confirms with this link, nothing is added or changed.
`,
});

/** Reminds the holder of an address, once. */
export const networkReminder: WriteNetworkMail = ({ host, firm }) => ({
  subject: `Still to confirm: the investor network of ${firm}`,
  body: `To join the investor network of ${firm}, open this link and press the button on the page:`,
  closing: `You get this email because someone, hopefully you, asked to join at ${host} with this address a few days ago. It is not confirmed yet. We delete the request ${confirmDays} days after it was first made, and send no other reminder.

Once you have confirmed, the same link shows what we keep about you, and you can change it or leave. ${linkEnds} ${keepSecret}

Not you? Do nothing. Unless someone confirms with this link, you are not in the network.
`,
});

/** Asks a member to stay. Silence ends the membership. */
export const networkRenewal: WriteNetworkMail = ({ host, firm }) => ({
  subject: `Do you want to stay in the investor network of ${firm}?`,
  body: `To stay in the investor network of ${firm}, open this link and press the button on the page:`,
  closing: `You get this email because you joined at ${host} with this address, and last said so two years ago. If you do nothing, we delete what we keep about you in ${renewalDays} days.

The same link shows what we keep about you, and you can change it or leave. ${linkEnds} After that, get a new one at ${host}/network. ${keepSecret}

Not you? Do nothing.
`,
});

/** Sends a member a new link to their page. */
export const networkLinkMail: WriteNetworkMail = ({ host, firm }) => ({
  subject: `Your link to the investor network of ${firm}`,
  body: `To see what the investor network of ${firm} keeps about you, change it or leave, open this link:`,
  closing: `You get this email because you joined with this address, and you or one of us asked for the link at ${host}. Earlier links to your page no longer work. ${linkEnds} ${keepSecret}

Not you? Do nothing. Nothing else has changed.
`,
});
