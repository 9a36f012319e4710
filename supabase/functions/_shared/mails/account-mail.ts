import { nameAccountSite } from "./account-link-mail.ts";
import { formatInstant } from "./format-instant.ts";

/** Account event that its owner is notified of by mail. */
export interface AccountEvent {
  kind: "password-changed" | "sign-in" | "factor-on" | "factor-off" | "recovery-code" | "wrong-codes";
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
 * @param firm its name; undefined if unknown
 */
export function accountMail(
  { kind, at, device }: AccountEvent,
  siteUrl: string,
  timeZone: string,
  firm: string | undefined,
): { subject: string; body: string } {
  const time = formatInstant(at, timeZone, { year: "numeric" });
  const [subject, ...paragraphs] = notices[kind](`the admin area of ${nameAccountSite(siteUrl, firm)}`, time, device);
  return { subject, body: `${paragraphs.join("\n\n")}\n` };
}

/** Writes the subject and the paragraphs. @param at in words */
type Notice = (area: string, at: string, device: string | null) => [subject: string, ...paragraphs: string[]];

const changePassword =
  "Sign in to the admin area, open Account, and change your password right away: that ends all other sessions of your account.";
const resetFactor =
  "If this was not you, someone else has your password. Ask the person who runs the website to reset your two-step verification and set a new password right away, which ends every session of your account.";

const notices: Record<AccountEvent["kind"], Notice> = {
  "password-changed": (area, at) => [
    `Your password for ${area} was changed`,
    `The password of your account for ${area} was changed on ${at}.`,
    "If you changed it, you don't need to do anything. All other sessions of your account have ended.",
    "If you did not, someone else may be able to sign in as you. Ask the person who runs the website to set a new password right away, which ends every session of your account.",
  ],
  "sign-in": (area, at, device) => [
    `New device signed in to ${area}`,
    `Your email address and password were used to sign in to ${area}, on a device that had not signed in to your account before.`,
    `Device: ${device}\nTime: ${at}`,
    "If this was you, you don't need to do anything. A browser that has lost its cookies counts as a new device.",
    `If this was not you, someone else knows your password. ${changePassword}`,
  ],
  "factor-on": factorNotice(
    "Two-step verification set up",
    "A code from an authenticator app was set up for two-step verification of your account",
    resetFactor,
  ),
  "factor-off": factorNotice(
    "Two-step verification turned off",
    "Two-step verification was turned off for your account",
    resetFactor,
  ),
  "recovery-code": factorNotice(
    "Recovery code used",
    "One of your recovery codes was used, which turned off two-step verification for your account",
    `${resetFactor} They may have your other recovery codes, too: create new ones.`,
  ),
  "wrong-codes": factorNotice(
    "Five wrong codes",
    "Five wrong codes were entered while signing in to your account",
    `If this was not you, someone else knows your password, but not your codes. ${changePassword}`,
  ),
};

function factorNotice(subject: string, event: string, otherwise: string): Notice {
  return (area, at) => [
    `${subject} for ${area}`,
    `${event} for ${area}.`,
    `Time: ${at}`,
    "If this was you, you don't need to do anything.",
    otherwise,
  ];
}
