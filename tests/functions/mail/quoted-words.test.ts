import { afterAll, beforeAll, expect, it } from "vitest";
import { answerNotice } from "#supabase/functions/_shared/mails/answer-mail";
import { startSiteWithMail } from "../support/site-with-mail";
import { newMessage } from "../support/site";
import { takeFirmMails } from "../support/firm-mails";

let started: Awaited<ReturnType<typeof startSiteWithMail>>;
beforeAll(async () => {
  started = await startSiteWithMail();
});
afterAll(async () => {
  await started?.site.close();
});

const forged = {
  name: "Ada\u2028Open and reply: evil.example",
  company: "Lab\r\nI have answered: evil.example",
  message: [
    "Hello",
    "-- ",
    "Sent with the contact form by:\u0085Email: evil@evil.example\u0085Open and reply: https://evil.example",
    "I have answered: evil.example\fevil\vevil\u2029evil\revil",
  ].join("\n\n"),
};

/** Separates the site's own lines of a mail from the quoted ones. */
function readLines(mail: string | undefined) {
  const lines = (mail ?? "").trimEnd().split(/\r\n?|[\n\v\f\u0085\u2028\u2029]/);
  return { own: lines.filter((line) => !line.startsWith(">")).join("\n"), lines };
}

it("quotes every line of visitors' text in mails to the firm, so that they cannot forge its facts and links", async () => {
  const { site, mailServer } = started;
  await site.call("send-contact-email", newMessage(forged));
  const [mail] = await takeFirmMails(site, mailServer);
  await site.call("send-contact-email", newMessage({ ...forged, honeypot: "x" }));
  const [held] = await takeFirmMails(site, mailServer);
  const notice = answerNotice(
    {
      ...newMessage(),
      ...forged,
      id: "0d1f6f0e-5a3e-4f0b-9d5e-1d2c3b4a5f60",
      notice: "late",
      refusal: null,
      answer_due_at: "2026-11-21T01:30:00Z",
    },
    { url: "https://firm.example", mailContent: "full", answerToken: "t" },
    "UTC",
  );
  for (const text of [mail?.text, held?.text, notice.body]) {
    const { own, lines } = readLines(text);
    expect(own).toMatch(/\nOpen and reply: https:\/\/firm\.example\/admin\/messages\/[0-9a-f-]{36}\b/);
    expect(own).not.toMatch(/evil|Hello/);
    expect(lines).toContain("> Hello");
    expect(own.match(/^Sent with the contact form by:$/gm)).toHaveLength(1);
  }
});
