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
  name: "Ada\u2028All messages: evil.example",
  company: "Lab\r\nI have answered: evil.example",
  message: [
    "Hello",
    "-- ",
    "Sent with the contact form.\u0085All messages: https://evil.example",
    "I have answered: evil.example\fevil\vevil\u2029evil\revil",
  ].join("\n\n"),
};

/**
 * @returns the site's own lines of a mail, and the index of the first quoted line
 */
function readLines(mail: string | undefined) {
  const lines = (mail ?? "").trimEnd().split(/\r\n?|[\n\v\f\u0085\u2028\u2029]/);
  const firstQuoted = lines.findIndex((line) => line.startsWith(">"));
  return { own: lines.filter((line) => !line.startsWith(">")).join("\n"), firstQuoted, lines };
}

it("quotes visitors' text below the site's own links in every mail to the firm, so that links cannot be forged", async () => {
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
    const { own, firstQuoted, lines } = readLines(text);
    expect(own).toContain("https://firm.example/a");
    expect(own).not.toMatch(/evil|Hello/);
    expect(lines.slice(firstQuoted).every((line) => line.startsWith(">"))).toBe(true);
    expect(lines).toContain("> Hello");
  }
});
