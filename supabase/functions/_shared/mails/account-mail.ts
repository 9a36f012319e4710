import { type FactorEvent, factorMail } from "./factor-mail.ts";

/** Account event that its owner is notified of by mail. */
export interface AccountEvent {
  kind: "password-changed" | "sign-in" | FactorEvent;
  /** ISO 8601 */
  at: string;
  /** for a sign-in: browser and system in words */
  device: string | null;
}

/**
 * Notifies the owner of an account of an event. Contains no link: phishing mails ask people to sign in by a link, and
 * the owner knows where to sign in.
 * @param siteUrl origin of the site
 * @param timeZone the firm's time zone, for the times
 */
export function accountMail(event: AccountEvent, siteUrl: string, timeZone: string): { subject: string; body: string } {
  const { host } = new URL(siteUrl);
  const at = formatInstant(event.at, timeZone);
  if (event.kind !== "password-changed" && event.kind !== "sign-in") return factorMail(event.kind, host, at);
  if (event.kind === "password-changed") {
    return {
      subject: `Your password for the admin area of ${host} was changed`,
      body: `The password of your account for the admin area of ${host} was changed on ${at}.

If you changed it, you don't need to do anything. All other sessions of your account have ended.

If you did not, someone else may be able to sign in as you. Ask the person who runs the website to set a new password right away, which ends every session of your account.
`,
    };
  }
  return {
    subject: `New device signed in to the admin area of ${host}`,
    body: `Your email address and password were used to sign in to the admin area of ${host}, on a device that had not signed in to your account before.

Device: ${event.device}
Time: ${at}

If this was you, you don't need to do anything. A browser that has lost its cookies counts as a new device.

If this was not you, someone else knows your password. Sign in to the admin area, open Account, and change your password right away: that ends all other sessions of your account.
`,
  };
}

/**
 * Formats an instant like "November 22, 2026 at 7:05 PM EST". Plain spaces only, because some mail programs show others
 * as boxes.
 */
function formatInstant(instant: string, timeZone: string): string {
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
