import { countOf } from "~/lib/count-of";
import { company } from "./company";
import { dataRightsDeadline, packageDays, retention } from "./facts";
import { statusPage } from "./privacy/data-rights-links";

const authority = "a data protection authority, in particular where you live or work";

/**
 * Every reply must mention the right to complain to the firm (Data Protection Act 2018 of the United Kingdom, section
 * 164A) and to an authority (GDPR Articles 12(4) and 77).
 */
const mayComplain = `If you want to complain about how we handle your data, reply to this email. You may also complain to ${authority}.`;

/** An email to a data subject about a data rights request. The database fills in `{{reference}}` and `{{due_on}}`. */
export interface RequestMail {
  subject: string;
  body: string;
}

/** Writes the emails of the steps with a reason or message, by the step's name in `private.request_steps`. */
export const stepMails = {
  /** GDPR Article 12(3): it must give the reason. */
  extend: (reason: string) =>
    write("Your request {{reference}} needs more time", [
      "We need more time for your data rights request {{reference}}. The reason:",
      reason,
      "We will answer by {{due_on}}.",
      mayComplain,
    ]),
  /** Contains no link to the data, so someone who glimpses it cannot fetch anything. */
  handOver: (message: string) =>
    write("Your request {{reference}}: your data is ready", [
      "We have completed your data rights request {{reference}}.",
      message,
      `You can download your data for ${packageDays} days. Open the status link of our earlier email and press “${statusPage.package.button}”: we then send a link to your data to this address.`,
      `If something is missing, reply to this email. ${mayComplain}`,
    ]),
  complete: (message: string) =>
    write("Your request {{reference}} is complete", [
      "We have completed your data rights request {{reference}}.",
      message,
      `If something is missing, reply to this email. ${mayComplain}`,
    ]),
  /** Data Protection Act 2018 of the United Kingdom, section 164A. */
  outcome: (outcome: string) =>
    write("Your complaint {{reference}}: the outcome", [
      "We have looked into your complaint {{reference}}. The outcome:",
      outcome,
      `If you are not satisfied with it, reply to this email. You may also complain to ${authority}, and you may go to court.`,
    ]),
  /** GDPR Article 12(4): it must give the reason and the ways to complain. */
  refuse: (reason: string) =>
    write("Your request {{reference}}", [
      "We will not act on your data rights request {{reference}}. The reason:",
      reason,
      `If you disagree, reply to this email: we look at it again, and answer within ${dataRightsDeadline.responseDays} days. ${mayComplain} And you may go to court.`,
    ]),
  /** GDPR Article 18(3): the person must be notified before the restriction ends. The database fills in the day. */
  lift: (reason: string) =>
    write("Your request {{reference}}: the restriction ends on {{restriction_ends_on}}", [
      "The restriction on the use of your data, which you requested under {{reference}}, ends on {{restriction_ends_on}}. The reason:",
      reason,
      "If you object, reply to this email before that day.",
    ]),
  keepRestriction: (reason: string) =>
    write("Your request {{reference}}: the restriction stays", [
      "The restriction on the use of your data, which you requested under {{reference}}, does not end as announced. The reason:",
      reason,
    ]),
};

/**
 * Places outside the site's database that may hold a person's data. The tombstone of an erasure lists those that were
 * cleared.
 */
export const erasurePlaces = ["mailbox", "exports", "advisers", "google"] as const;

/** One of {@link erasurePlaces}. */
export type ErasurePlace = (typeof erasurePlaces)[number];

const doneElsewhere: Record<ErasurePlace, string> = {
  mailbox: "We have deleted your emails, and the website’s emails about you, from our mailboxes.",
  exports: "We have deleted the files in which we had saved your data.",
  advisers: "We have told those who received your data from us to delete it.",
  google: "We have deleted your visits from Google Analytics, as far as we could tell which they were.",
};

/**
 * Writes the email about an erasure. It also says what was not erased, so that nobody assumes more than was done.
 * @param facts `backupKeepDays`: days after which a backup is deleted; `elsewhere`: places that the admin cleared by
 * hand
 */
export function erasureMail(facts: { backupKeepDays: number; elsewhere: readonly ErasurePlace[] }): RequestMail {
  const { backupKeepDays, elsewhere } = facts;
  const byHand = erasurePlaces.filter((place) => elsewhere.includes(place)).map((place) => doneElsewhere[place]);
  if (!elsewhere.includes("mailbox"))
    byHand.push("Emails in our mailboxes are not part of this. To have those deleted, too, reply to this email.");
  const days = retention.mailDays + retention.mailAttemptDays;
  return write("Your request {{reference}}: your data is erased", [
    "As you asked with your request {{reference}}, we have erased what our website held under your email address: your messages, your requests, the emails about them, and your place in the investor network if you had one. The website keeps only proof that we did so, which does not contain your address.",
    byHand.join(" "),
    `Backups that were made before today still hold it. We do not use them, we erase it again if we have to restore one, and each is deleted once it is ${countOf(backupKeepDays, "day")} old.`,
    `The website deletes its copy of this email, too: as soon as a mail server has taken it, and within ${days} days in any case.`,
    mayComplain,
  ]);
}

function write(subject: string, paragraphs: readonly string[]): RequestMail {
  return { subject, body: `${[...paragraphs, company.name].join("\n\n")}\n` };
}
