import { BackendUnavailable } from "../host/backend.ts";
import { setting } from "../host/runtime.ts";
import { digestOfToken, newSecretToken } from "../secret-token.ts";

/** A mail with the link to a member's page. The database knows the recipient. */
export interface NetworkMail {
  subject: string;
  body: string;
}

/**
 * Writes a mail with a link. None quotes any input, because anyone can enter another person's address.
 * @param firm the firm's name; defaults to the site's host
 */
export type WriteNetworkMail = (token: string, siteUrl: string, firm?: string) => NetworkMail;

/** Periods that the mails name (private.retention_period; a test compares). */
export const networkMailPeriods = { confirmDays: 7, renewalDays: 60 } as const;

/**
 * Writes a mail with a new link, for an edge function.
 * @returns the mail, and the digest that the link's token opens
 * @throws BackendUnavailable without the site's address, because the mail could contain no link
 */
export async function composeNetworkMail(write: WriteNetworkMail): Promise<{ token_hash: string; mail: NetworkMail }> {
  const siteUrl = setting("SITE_URL");
  if (!siteUrl) throw new BackendUnavailable("site-url-not-set");
  const token = newSecretToken();
  return { token_hash: await digestOfToken(token), mail: write(token, siteUrl, setting("FIRM_NAME")) };
}

const { confirmDays, renewalDays } = networkMailPeriods;
const keepLink =
  "Keep this email: once you have confirmed, the same link shows what we keep about you, and you can change it or leave there at any time. Do not forward it, because anyone with the link can do the same.";

/** Asks the holder of an address to confirm that they want to join. */
export const networkAskMail: WriteNetworkMail = (token, siteUrl, firm = new URL(siteUrl).host) => ({
  subject: `Please confirm: the investor network of ${firm}`,
  body: `To join the investor network of ${firm}, open this link within ${confirmDays} days and press the button on the page:

${linkTo(token, siteUrl)}

You get this email because someone, hopefully you, wrote to us at ${new URL(siteUrl).host} with this address and checked the box to join. Members get a few emails a year.

${keepLink}

Not you? Do nothing. Unless someone confirms with this link, nothing is added or changed.
`,
});

/** Reminds the holder of an address, once. */
export const networkReminder: WriteNetworkMail = (token, siteUrl, firm = new URL(siteUrl).host) => ({
  subject: `Still to confirm: the investor network of ${firm}`,
  body: `To join the investor network of ${firm}, open this link and press the button on the page:

${linkTo(token, siteUrl)}

You get this email because someone, hopefully you, asked to join at ${new URL(siteUrl).host} with this address a few days ago. It is not confirmed yet. We delete it ${confirmDays} days after it was asked, and send no other reminder.

${keepLink}

Not you? Do nothing. Unless someone confirms with this link, you are not in the network.
`,
});

/** Asks a member to stay. Silence ends the membership. */
export const networkRenewal: WriteNetworkMail = (token, siteUrl, firm = new URL(siteUrl).host) => ({
  subject: `Do you want to stay in the investor network of ${firm}?`,
  body: `To stay in the investor network of ${firm}, open this link and press the button on the page:

${linkTo(token, siteUrl)}

You get this email because you joined at ${new URL(siteUrl).host} with this address, and last said so two years ago. If you do nothing, we delete what we keep about you in ${renewalDays} days.

The same link shows what we keep about you, and you can change it or leave there at any time. Do not forward this email, because anyone with the link can do the same.

Not you? Do nothing.
`,
});

/** Sends a member a new link to their page. */
export const networkLinkMail: WriteNetworkMail = (token, siteUrl, firm = new URL(siteUrl).host) => ({
  subject: `Your link to the investor network of ${firm}`,
  body: `To see what the investor network of ${firm} keeps about you, change it or leave, open this link:

${linkTo(token, siteUrl)}

You get this email because you joined with this address, and you or one of us asked for the link at ${new URL(siteUrl).host}. Earlier links still work. Do not forward this email, because anyone with the link can do the same.

Not you? Do nothing. Nothing has changed.
`,
});

function linkTo(token: string, siteUrl: string): string {
  return new URL(`/network?token=${token}`, siteUrl).href;
}
