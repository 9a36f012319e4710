import { withheldNotes } from "./acknowledgement-limits.ts";
import { contactFieldList } from "./contact-fields.ts";
import type { ContactMessage } from "./contact-message.ts";
import type { MailContent } from "./mail-content.ts";
import type { QueuedMail } from "./outbox.ts";

/**
 * The two mails of one message: everything, or a notice, to the firm, and an acknowledgement to the visitor.
 * @param site `url`: its origin, for the link to the admin's page; left out when unknown
 */
export function contactMails(
  message: ContactMessage,
  site: { url: string | undefined; mailContent: MailContent },
): QueuedMail[] {
  const toFirm = site.mailContent === "full" ? firmMail(message, site.url) : firmNotice(site.url);
  return [{ ...toFirm, if_withheld: noteForFirm }, acknowledgement(message.email, site.url)];
}

const noteForFirm = withheldNotes(
  "the sender was sent no acknowledgement",
  "The message is kept like any other. If it is not the only one, somebody may be using the form to send email to others.",
);

/** The database fills in reference and id. Nobody can answer it by mail: not even the sender's address is in it. */
function firmNotice(siteUrl: string | undefined): QueuedMail {
  const where = siteUrl ? `Read it here: ${new URL("/admin", siteUrl).href}#submission-{{id}}` : "Sign in to read it.";
  return {
    kind: "firm",
    recipient: null,
    reply_to: null,
    is_notice: true,
    subject: "New message {{reference}}",
    body: `A message has come in through the contact form.

Reference: {{reference}}
${where}
`,
  };
}

function firmMail(message: ContactMessage, siteUrl: string | undefined): QueuedMail {
  const lines = [
    ...contactFieldList
      .filter(([name]) => name !== "message" && message[name] !== "")
      .map(([name, { label }]) => `${label}: ${message[name]}`),
    "",
    message.message,
    "",
    "-- ",
    "Sent with the contact form. Reply to this email to answer the sender.",
  ];
  if (siteUrl) lines.push(`All messages: ${new URL("/admin", siteUrl).href}`);
  return {
    kind: "firm",
    recipient: null,
    reply_to: message.email,
    subject: `Message from ${message.name}, ${message.company}`,
    body: `${lines.join("\n")}\n`,
  };
}

/**
 * Quotes nothing of what was typed, not even the name: anybody can enter a stranger's address, and our mail must
 * not carry their words to that stranger.
 */
function acknowledgement(recipient: string, siteUrl: string | undefined): QueuedMail {
  const site = siteUrl ? new URL(siteUrl).host : "our website";
  return {
    kind: "acknowledgement",
    recipient,
    reply_to: null,
    subject: "We have received your message",
    body: `Thank you for writing to us through ${site}. We have received your message and will reply within 24 hours.

You can take back your consent to the use of your details at any time: reply to this email and say so, and we will delete your message.

If you did not write to us, somebody entered your address in the contact form of ${site}. You don't need to do anything. If you reply to this email, we will delete that message.
`,
  };
}
