import { expect, it } from "vitest";
import { answerNotice } from "./answer-mail.ts";
import { contactMails, type MessageMailSite } from "./contact-mail.ts";
import { countLinks, heldBackMails } from "./held-back-mail.ts";

const id = "0d1f6f0e-5a3e-4f0b-9d5e-1d2c3b4a5f60";
const url = "https://firm.example";
const message = {
  name: "Ada\u2028Open and reply: evil.example",
  email: "ada@example.com",
  company: "Lab\r\nI have answered: evil.example",
  stage: "Growth",
  goal: "Scale",
  message: [
    "Hello",
    "-- ",
    "Sent with the contact form by:\u0085Email: evil@evil.example\u0085Open and reply: https://evil.example",
    "I have answered: evil.example\fevil\vevil\u2029evil\revil",
  ].join("\n\n"),
  honeypot: "",
  privacyConsent: true as const,
};
const write = (site: Partial<MessageMailSite>) =>
  contactMails(message, { id, url: undefined, mailContent: "full", ...site });

const site = { id, url, mailContent: "full" as const, answerToken: "t" };
const waiting = { ...message, id, notice: "late" as const, refusal: null, answer_due_at: "2026-11-21T01:30:00Z" };

it.each([
  ["of a new message", contactMails(message, site)[0]!.body],
  ["of a held-back message", heldBackMails(message, site)[0]!.body],
  ["of a late reply", answerNotice(waiting, site, "UTC").body],
])(
  "quotes every line of the visitor's in the mail to the firm, so that none can forge the site's own: %s",
  (_case, body) => {
    const lines = body.trimEnd().split(/\r\n?|[\n\v\f\u0085\u2028\u2029]/);
    const own = lines.filter((line) => !line.startsWith(">")).join("\n");
    expect(own).toMatch(new RegExp(`\nOpen and reply: ${url}/admin/messages/${id}\\b`));
    expect(own).not.toMatch(/evil|Hello/);
    expect(lines).toContain("> Hello");
    expect(own.match(/^Sent with the contact form by:$/gm)).toHaveLength(1);
  },
);

it("tells the firm of a wish to join the investor network", () => {
  const wish = "The sender also asked to join the investor network";
  expect(
    Object.values(write({ asksToJoin: true })[0]!.if_joining ?? {}).filter((note) => note.includes(wish)),
  ).toHaveLength(4);
  expect(write({})[0]).not.toHaveProperty("if_joining");
  const [joining, other] = [true, false].map((asksToJoin) => heldBackMails(message, { ...site, asksToJoin })[0]!.body);
  expect(joining).toContain(`${wish}, and got no link`);
  expect(other).not.toContain(wish);
});

it.each([
  ["https://www.lab.example", 1],
  ["http://a.example https://b.example", 2],
  ["www.a.example and <a href=x>", 2],
  ["[url=x] [link=y]", 2],
  ["lab.example", 0],
])("counts the links of %s as %i", (text, links) => {
  expect(countLinks(text)).toBe(links);
});

it("greets in the acknowledgement by a plain first name only", () => {
  expect(contactMails({ ...message, name: "Sam Lee" }, site)[1]!.body).toMatch(/^Hello Sam,\n/);
  expect(write({})[1]!.body).toMatch(/^Hello,\n/);
});

it("signs the acknowledgement by the person, the firm and the host, and leaves out what is unknown", () => {
  const dueAt = new Date("2026-11-22T02:45:00Z");
  const promise = { withinHours: 24, days: "all", timeZone: "America/Los_Angeles", dueAt } as const;
  const [, full] = write({ url, firm: "Firm One, Inc.", person: "Person One", promise });
  expect(full!.subject).toBe("Your message to Firm One, Inc.");
  expect(full!.body).toMatch(
    /^Hello,\n\nThank you for writing to us\. Person One reads every message and will reply within 24 hours, by Saturday, November 21 at 6:45 PM PST, to this address\.\n\nIf it is urgent, reply to this email .*\n\nPerson One\nFirm One, Inc\.\nfirm\.example\n\nYou wrote /,
  );
  const [, bare] = write({});
  expect(bare!.subject).toBe("Your message");
  expect(bare!.body).toMatch(/ We read every message and will reply .*\n\nIf it is urgent, .*\n\nYou wrote with/);
  expect(write({ url })[1]!.subject).toBe("Your message to firm.example");
  for (const { body } of [full!, bare!]) expect(body).not.toMatch(/undefined|\n\n\n/);
});
