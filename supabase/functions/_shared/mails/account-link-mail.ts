import type { QueuedMail } from "../outbox/outbox.ts";

/** A mail with an account link. The database looks up the recipient. */
type AccountLinkMail = Pick<QueuedMail, "subject" | "body">;

/** Lifetimes of the links (migrations "people" and "accounts"). */
export const linkLifetimes = { invitationHours: 72, newPasswordMinutes: 30 } as const;

/** Builds an account link. The token alone identifies it. */
export function accountLinkTo(token: string, siteUrl: string): string {
  return new URL(`/login/password?token=${token}`, siteUrl).href;
}

/** Names the site of an account by its firm and host: "Hale & Co (hale.example)". Without a firm, by the host alone. */
export function nameAccountSite(siteUrl: string, firm: string | undefined): string {
  const { host } = new URL(siteUrl);
  return firm ? `${firm} (${host})` : host;
}

/** Sends a link to a person who forgot their password. Someone else may have entered the address. */
export function newPasswordMail(token: string, siteUrl: string, firm: string | undefined): AccountLinkMail {
  const site = nameAccountSite(siteUrl, firm);
  return {
    subject: `A new password for ${site}`,
    body: `Someone, hopefully you, asked to set a new password for your account at ${site}.

To choose one, open this link within ${linkLifetimes.newPasswordMinutes} minutes:
${accountLinkTo(token, siteUrl)}

The link works once. Setting the new password ends every session of your account. Do not forward this email: anyone with the link can take over your account.

If this was not you, you don't need to do anything: your password stays the same.
`,
  };
}

/** Invites a person to become an admin. The database fills in `{{inviter}}`. */
export function invitationMail(token: string, siteUrl: string, firm: string): AccountLinkMail {
  return {
    subject: `Your invitation to the admin area of ${firm}`,
    body: `{{inviter}} invites you to be an admin of the website of ${nameAccountSite(siteUrl, firm)}, to read and answer the messages of its visitors.

To accept, open this link within ${linkLifetimes.invitationHours} hours and choose a password:
${accountLinkTo(token, siteUrl)}

The link works once. Do not forward this email: anyone with the link can become an admin in your place.

If you did not expect this, ignore this email or ask the person who invites you.
`,
  };
}
