import { type FactorEvent, factorMail } from "./factor-mail.ts";

/** Something that happened with an account, of which its owner is told by mail. */
export interface AccountEvent {
  kind: "password-changed" | "sign-in" | FactorEvent;
  /** ISO 8601 */
  at: string;
  /** of a sign-in: browser and system in words */
  device: string | null;
}

/**
 * Tells the owner of an account what happened with it. There is no link in it: a mail that asks to sign in by a link is what
 * phishing looks like, and the owner knows where to sign in.
 * @param siteUrl origin of the site
 * @param timeZone in which the firm reads times
 */
export function accountMail(event: AccountEvent, siteUrl: string, timeZone: string): { subject: string; body: string } {
  const { host } = new URL(siteUrl);
  const at = inWords(event.at, timeZone);
  if (event.kind !== "password-changed" && event.kind !== "sign-in") return factorMail(event.kind, host, at);
  if (event.kind === "password-changed") {
    return {
      subject: `Your password for the admin area of ${host} was changed`,
      body: `The password of your account for the admin area of ${host} was changed on ${at}.

If you changed it, you need do nothing. All other sessions of your account have ended.

If you did not, somebody else may be able to sign in as you. Ask the person who runs the website to set a new password at once, which ends every session of your account.
`,
    };
  }
  return {
    subject: `New device signed in to the admin area of ${host}`,
    body: `Your email address and password were used to sign in to the admin area of ${host}, on a device that had not signed in to your account before.

Device: ${event.device}
Time: ${at}

If it was you, you need do nothing. A browser that has lost its cookies counts as a new device.

If it was not you, somebody else knows your password. Sign in to the admin area, open Account, and change your password at once: that ends all other sessions of your account.
`,
  };
}

/** "November 22, 2026 at 7:05 PM EST", with plain spaces: some mail programs show others as boxes. */
function inWords(instant: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat("en-US", {
    year: "numeric",
    month: "long",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
    timeZone,
  });
  return format.format(new Date(instant)).replace(/\s/gu, " ");
}
