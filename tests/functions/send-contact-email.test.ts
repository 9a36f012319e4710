import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { headerOf, type MailServer } from "./support/mail-server.ts";
import { newMessage, type Site } from "./support/site.ts";
import { startSiteWithMail } from "./support/site-with-mail.ts";

describe("send-contact-email", () => {
  let site: Site;
  let mailServer: MailServer;

  beforeAll(async () => {
    ({ site, mailServer } = await startSiteWithMail());
  });
  beforeEach(async () => {
    await site.finishBackgroundWork();
    mailServer.received.length = 0;
    // Acknowledgements are limited per address and day, so each test starts without any.
    await site.sql("delete from private.email_outbox");
  });
  afterAll(() => site?.close());

  const send = (body: unknown, init?: RequestInit) => site.call("send-contact-email", body, init);

  const findSubmissions = (message: string) =>
    site.sql<Record<string, unknown>>("select * from public.contact_submissions where message = $1", [message]);

  it("stores the proof of consent, excludes it from the fingerprint, and rejects an invalid one", async () => {
    const message = newMessage();
    const proof = { consentPolicyVersion: "1.0", consentTextHash: "0a".repeat(32) };
    expect((await send({ ...message, ...proof })).status).toBe(200);
    expect((await send({ ...message, ...proof, consentPolicyVersion: "1.1" })).status).toBe(200);
    const stored = await findSubmissions(message.message);
    expect(stored).toMatchObject([
      { consented_at: expect.any(String), consent_policy_version: "1.0", consent_text_hash: proof.consentTextHash },
    ]);
    for (const wrong of [{ consentPolicyVersion: "new" }, { consentTextHash: "words" }]) {
      const refused = await send({ ...newMessage(), ...wrong });
      expect(refused.status).toBe(400);
      expect(Object.keys(((await refused.json()) as { fields: object }).fields)).toEqual(Object.keys(wrong));
    }
  });

  it("stores the message, mails its full text to the firm and an acknowledgement to the visitor", async () => {
    const message = newMessage({ message: "Line one\r\n.\r\nLine three 💚" });
    const response = await send(message, { headers: { "x-client-address": "203.0.113.9" } });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ ok: true });
    const { honeypot: _empty, privacyConsent: _given, ...texts } = message;
    const stored = await findSubmissions("Line one\n.\nLine three 💚");
    expect(stored).toMatchObject([{ ...texts, message: "Line one\n.\nLine three 💚", ip_address: "203.0.113.9" }]);

    await site.finishBackgroundWork();
    expect(mailServer.received).toHaveLength(2);
    const firm = mailServer.received.find(({ recipients }) => recipients.includes("hello@firm.example"))!;
    expect(firm.recipients).toEqual(["hello@firm.example"]);
    expect(firm.from).toBe("website@firm.example");
    expect(firm.content).toMatchObject({
      from: { name: "The Firm", address: "website@firm.example" },
      to: [{ address: "hello@firm.example" }],
      replyTo: [{ address: "ada@example.com" }],
      messageId: expect.stringMatching(/^<[0-9a-f-]{36}@firm\.example>$/),
    });
    for (const text of [
      ...Object.values(texts).slice(0, 5),
      `\nOpen and reply: https://firm.example/admin/messages/${String(stored[0]?.id)}\n`,
    ]) {
      expect(firm.content.text).toContain(text);
    }
    expect(firm.content.text).toMatch(
      /^> Line one\n> \.\n> Line three 💚\n\nSent with the contact form by:\n> Name: Ada/,
    );
    expect(firm.content.subject).toBe("Message from Ada Lovelace, Analytical Engines Ltd (Growth-stage company)");
    expect(headerOf(firm.content, "auto-submitted")).toBe("auto-generated");
    expect(headerOf(firm.content, "x-auto-response-suppress")).toBe("OOF, AutoReply");

    const acknowledgement = mailServer.received.find(({ recipients }) => recipients.includes("ada@example.com"))!;
    expect(acknowledgement.recipients).toEqual(["ada@example.com"]);
    expect(acknowledgement.content.replyTo).toMatchObject([{ address: "hello@firm.example" }]);
    expect(headerOf(acknowledgement.content, "auto-submitted")).toBe("auto-replied");
    expect(headerOf(acknowledgement.content, "x-auto-response-suppress")).toBe("OOF, AutoReply");
    expect(acknowledgement.content.text).toContain("within 24 hours");
    expect(acknowledgement.content.subject).toBe("Your message to firm.example");
  });

  it("names firm and founder from the settings in the acknowledgement, and the firm as a sender without a name", async () => {
    const before = { ...site.settings };
    Object.assign(site.settings, { FIRM_NAME: "Hale, Inc.", FOUNDER_NAME: "Ada Hale", MAIL_FROM: "web@firm.example" });
    await send(newMessage());
    await site.finishBackgroundWork();
    Object.assign(site.settings, { FIRM_NAME: undefined, FOUNDER_NAME: undefined, ...before });
    const { content } = mailServer.received.find(({ recipients }) => recipients.includes("ada@example.com"))!;
    expect(content).toMatchObject({
      from: { name: "Hale, Inc.", address: "web@firm.example" },
      subject: "Your message to Hale, Inc.",
    });
    expect(content.text).toContain(" Ada Hale reads every message ");
    expect(content.text).toContain("\n\nAda Hale\nHale, Inc.\nfirm.example\n\n");
  });

  it.each(["notice", "Notice", "none"])(
    "mails the firm only a reference and a link with MAIL_CONTENT=%s",
    async (value) => {
      site.settings.MAIL_CONTENT = value;
      const texts = {
        name: "Zyx-name {{id}}",
        company: "Zyx-company",
        stage: "Zyx-stage",
        goal: "Zyx-goal",
        message: `Zyx-text ${value}`,
      };
      await send(newMessage(texts));
      await site.finishBackgroundWork();
      site.settings.MAIL_CONTENT = undefined;
      const [submission] = (await findSubmissions(`Zyx-text ${value}`)) as { id: string; name: string }[];
      expect(submission?.name).toBe("Zyx-name {{id}}");
      const id = submission?.id ?? "";
      const firm = mailServer.received.find(({ recipients }) => recipients.includes("hello@firm.example"))!;
      expect(firm.content.subject).toBe(`New message ${id.slice(0, 8)}`);
      expect(firm.content.text).toContain(`Reference: ${id.slice(0, 8)}\n`);
      expect(firm.content.text).toContain(`https://firm.example/admin/messages/${id}\n`);
      expect(JSON.stringify(firm)).not.toMatch(/Zyx|ada@example|\{\{/);
      expect(mailServer.received).toHaveLength(2);
    },
  );

  it("fills in no placeholder in visitors' text", async () => {
    await send(newMessage({ message: "My {{reference}} and {{id}}" }));
    await site.finishBackgroundWork();
    const firm = mailServer.received.find(({ recipients }) => recipients.includes("hello@firm.example"))!;
    expect(firm.content.text).toContain("My {{reference}} and {{id}}");
  });

  it("quotes no input in the acknowledgement", async () => {
    const texts = {
      name: "Zyx-name",
      company: "Zyx-company",
      stage: "Zyx-stage",
      goal: "Zyx-goal",
      message: "Zyx-text",
    };
    await send(newMessage(texts));
    await site.finishBackgroundWork();
    const acknowledgement = mailServer.received.find(({ recipients }) => recipients.includes("ada@example.com"))!;
    expect(JSON.stringify(acknowledgement.content)).not.toContain("Zyx");
  });

  it("prevents visitors from adding a header or a recipient", async () => {
    const message = newMessage({
      name: "Ada\r\nBcc: victim@example.net",
      company: "Engines <victim@example.net>, victim@example.net",
    });
    expect((await send(message)).status).toBe(200);
    await site.finishBackgroundWork();
    const addresses = mailServer.received.flatMap(({ recipients }) => recipients);
    expect(addresses.toSorted()).toEqual(["ada@example.com", "hello@firm.example"]);
    for (const { content } of mailServer.received) {
      expect([content.to, content.cc, content.bcc].flat().filter(Boolean)).toHaveLength(1);
      expect(headerOf(content, "bcc")).toBeUndefined();
    }
  });

  it("stores an identical message once, and returns the same response each time", async () => {
    const message = newMessage();
    const responses = await Promise.all(Array.from({ length: 10 }, () => send(message)));
    for (const response of responses) {
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ ok: true });
    }
    await site.finishBackgroundWork();
    expect(await findSubmissions(message.message)).toHaveLength(1);
    expect(mailServer.received).toHaveLength(2);
  });

  it("quarantines a message that tripped the honeypot, and accepts the person's second attempt", async () => {
    const message = newMessage({ honeypot: "x", message: "See https://a.example and http://www.b.example now" });
    const response = await send(message);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ ok: true });
    await site.finishBackgroundWork();
    await site.deliver();
    expect(await findSubmissions(message.message)).toMatchObject([{ quarantine_reason: "honeypot" }]);
    expect(mailServer.received).toEqual([]);

    expect((await send({ ...message, honeypot: "" })).status).toBe(200);
    await site.finishBackgroundWork();
    expect(await findSubmissions(message.message)).toHaveLength(2);
    expect(mailServer.received).toHaveLength(2);
  });

  it("mails a held-back message with at most one link to the firm only, with a note and without an answered link", async () => {
    const message = newMessage({ honeypot: "Ada", message: "We are at https://www.lab.example, {{id}}" });
    expect((await send(message)).status).toBe(200);
    await site.finishBackgroundWork();
    expect(await findSubmissions(message.message)).toMatchObject([{ quarantine_reason: "honeypot" }]);
    const [mail, ...others] = mailServer.received;
    expect(others).toEqual([]);
    expect(mail?.recipients).toEqual(["hello@firm.example"]);
    expect(mail?.content).toMatchObject({
      subject: `Held back: message from ${message.name}, ${message.company} (${message.stage})`,
      replyTo: [{ address: message.email }],
    });
    expect(mail?.content.text).toContain("the form’s hidden field was filled in");
    expect(mail?.content.text).toMatch(/\nOpen and reply: https:\/\/firm\.example\/admin\/messages\/[0-9a-f-]{36}\n/);
    expect(mail?.content.text?.startsWith(`> ${message.message}\n`)).toBe(true);
    expect(mail?.content.text).not.toContain("/answered");
  });

  it.each([
    ["203.0.113.9", "203.0.113.9"],
    ["2001:db8::7", "2001:db8::7"],
    ["::ffff:203.0.113.9", "::ffff:203.0.113.9"],
    ["not an address", null],
    ["203.0.113.9, 10.0.0.1", null],
    ["10.0.0.0/8", null],
    ["<script>", null],
  ])("stores the client's address %j as %j", async (header, stored) => {
    const message = newMessage();
    expect((await send(message, { headers: { "x-client-address": header } })).status).toBe(200);
    expect(await findSubmissions(message.message)).toMatchObject([{ ip_address: stored }]);
  });
});
