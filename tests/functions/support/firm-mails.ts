import type { MailServer } from "./mail-server.ts";
import type { Site } from "./site.ts";

/** Recipient of mails to the firm. */
const firm = "hello@firm.example";

/** Delivers twice, to detect duplicates, and returns and clears the mails received. */
export async function takeFirmMails(site: Site, mailServer: MailServer) {
  await site.finishBackgroundWork();
  await site.deliver();
  await site.deliver();
  const mails = mailServer.received.filter(({ recipients }) => recipients.includes(firm));
  mailServer.received.length = 0;
  return mails.map(({ content }) => ({
    subject: content.subject ?? "",
    text: content.text ?? "",
    replyTo: content.replyTo?.[0]?.address,
  }));
}
