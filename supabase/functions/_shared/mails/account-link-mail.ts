/** A mail that brings a link into an account; the database knows whose it is. */
export interface AccountLinkMail {
  subject: string;
  body: string;
}

/** How long the links work (migration "people"). */
export const linkLifetimes = { invitationHours: 72, newPasswordMinutes: 30 } as const;

/** Where a link into an account leads: its token is the only thing that tells one from another. */
export function accountLinkTo(token: string, siteUrl: string): string {
  return new URL(`/login/password?token=${token}`, siteUrl).href;
}

/** Brings the link to somebody who has forgotten their password. Anybody may have typed the address. */
export function newPasswordMail(token: string, siteUrl: string): AccountLinkMail {
  const { host } = new URL(siteUrl);
  return {
    subject: `A new password for ${host}`,
    body: `Somebody, hopefully you, wants to set a new password for your account at ${host}.

Open this link within ${linkLifetimes.newPasswordMinutes} minutes, and choose it:
${accountLinkTo(token, siteUrl)}

The link works once, and ends every session of your account. Do not forward this email: whoever has the link can take your account.

If it was not you, do nothing: your password stays as it is.
`,
  };
}

/** Invites somebody to become an admin. Quotes nothing of what was typed. */
export function invitationMail(token: string, siteUrl: string): AccountLinkMail {
  const { host } = new URL(siteUrl);
  return {
    subject: `Your invitation to the admin area of ${host}`,
    body: `You have been invited to be an admin of ${host}: to read what visitors write, and to answer it.

Open this link within ${linkLifetimes.invitationHours} hours, and choose a password:
${accountLinkTo(token, siteUrl)}

The link works once. Do not forward this email: whoever has the link can take your place.

If you did not expect this, do nothing, or ask whoever runs the website.
`,
  };
}
