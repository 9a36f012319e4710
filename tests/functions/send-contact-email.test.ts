import { describe, expect, it } from "vitest";
import { newMessage } from "./support/site.ts";
import { firm, useWorld } from "./support/world.ts";

const world = useWorld();

const ada = "ada@example.com";
const send = (body: unknown, headers?: Record<string, string>) => world.ask("send-contact-email", body, headers);
const accepted = [200, { ok: true }];
const findSubmissions = () => world.sql<Record<string, unknown>>("select * from public.contact_submissions");

describe("send-contact-email", () => {
  it("stores the message, mails its full text to the firm and an acknowledgement without it to the visitor", async () => {
    const message = newMessage({
      name: "Zyx Lovelace",
      company: "Engines <victim@example.net>",
      message: "Zyx one\r\n.\r\nMy {{reference}} and {{id}} 💚",
    });
    const proof = { consentPolicyVersion: "1.0", consentTextHash: "0a".repeat(32) };
    Object.assign(world.settings, { FIRM_NAME: "Hale, Inc.", FOUNDER_NAME: "Ada Hale" });
    expect(await send({ ...message, ...proof }, { "x-client-address": "203.0.113.9" })).toEqual(accepted);
    const { honeypot: _empty, privacyConsent: _given, ...texts } = message;
    const [stored, ...others] = await findSubmissions();
    const kept = {
      message: "Zyx one\n.\nMy {{reference}} and {{id}} 💚",
      ip_address: "203.0.113.9",
      consented_at: expect.any(String),
      consent_policy_version: "1.0",
      consent_text_hash: proof.consentTextHash,
    };
    expect([stored, others]).toMatchObject([{ ...texts, ...kept }, []]);

    await world.finishBackgroundWork();
    expect(world.mailServer.received.map(({ from, recipients }) => [from, ...recipients]).toSorted()).toEqual([
      ["website@firm.example", ada],
      ["website@firm.example", firm],
    ]);
    const [toFirm] = await world.takeMails(firm);
    expect(toFirm).toMatchObject({
      subject: "Message from Zyx Lovelace, Engines <victim@example.net> (Growth-stage company)",
      replyTo: ada,
      content: { from: { name: "The Firm", address: "website@firm.example" }, to: [{ address: firm }] },
    });
    expect(toFirm!.text).toMatch(
      /^> Zyx one\n> \.\n> My \{\{reference\}\} and \{\{id\}\} 💚\n\nSent with the contact form/,
    );
    expect(toFirm!.text).toContain(`\nOpen and reply: https://firm.example/admin/messages/${String(stored!.id)}\n`);
    const [toVisitor] = await world.takeMails(ada);
    expect(toVisitor).toMatchObject({ subject: "Your message to Hale, Inc.", replyTo: firm });
    expect(toVisitor!.text).toContain("within 24 hours");
    expect(toVisitor!.text).toContain("\n\nAda Hale\nHale, Inc.\nfirm.example\n\n");
    expect(JSON.stringify(toVisitor)).not.toMatch(/Zyx one|Lovelace|victim|Engines/);
  });

  it.each(["notice", "Notice", "none"])(
    "mails the firm only a reference and a link with MAIL_CONTENT=%s",
    async (value) => {
      world.settings.MAIL_CONTENT = value;
      const zyx = { name: "Zyx {{id}}", company: "Zyx", stage: "Zyx", goal: "Zyx", message: "Zyx" };
      await send(newMessage(zyx));
      const [{ id, name }] = (await findSubmissions()) as [{ id: string; name: string }];
      expect(name).toBe("Zyx {{id}}");
      const [mail] = await world.takeMails(firm);
      expect(mail!.subject).toBe(`New message ${id.slice(0, 8)}`);
      expect(mail!.text).toContain(`Reference: ${id.slice(0, 8)}\n`);
      expect(mail!.text).toContain(`https://firm.example/admin/messages/${id}\n`);
      expect(JSON.stringify(mail)).not.toMatch(/Zyx|ada@example|\{\{/);
      expect(await world.takeMails(ada)).toHaveLength(1);
    },
  );

  it("stores and mails an identical message once, with any proof of consent and the same response", async () => {
    const message = newMessage();
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        send({ ...message, consentPolicyVersion: `1.${n}`, consentTextHash: "0a".repeat(32) }),
      ),
    );
    for (const response of responses) expect(response).toEqual(accepted);
    await world.finishBackgroundWork();
    expect(await findSubmissions()).toHaveLength(1);
    expect(world.mailServer.received).toHaveLength(2);
  });

  it("quarantines a message that tripped the honeypot, and accepts the person's second attempt", async () => {
    const message = newMessage({ honeypot: "x", message: "See https://a.example and http://www.b.example now" });
    expect(await send(message)).toEqual(accepted);
    expect(await findSubmissions()).toMatchObject([{ quarantine_reason: "honeypot" }]);
    expect([await world.takeFirmMails(), await world.takeMails(ada)]).toEqual([[], []]);

    expect(await send({ ...message, honeypot: "" })).toEqual(accepted);
    const found = [await findSubmissions(), await world.takeMails(firm), await world.takeMails(ada)];
    expect(found.map(({ length }) => length)).toEqual([2, 1, 1]);
  });

  it("mails a held-back message with at most one link to the firm only, without an answered link", async () => {
    const message = newMessage({ honeypot: "Ada", message: "We are at https://www.lab.example, {{id}}" });
    expect(await send(message)).toEqual(accepted);
    const [mail, ...others] = await world.takeMails(firm);
    expect([others, await world.takeMails(ada)]).toEqual([[], []]);
    expect(mail).toMatchObject({
      subject: `Held back: message from ${message.name}, ${message.company} (${message.stage})`,
      replyTo: message.email,
    });
    expect(mail!.text).toContain("the form’s hidden field was filled in");
    expect(mail!.text).not.toContain("/answered");
  });

  it.each([
    ["2001:db8::7", "2001:db8::7"],
    ["not an address", null],
    ["203.0.113.9, 10.0.0.1", null],
  ])("stores the client's address %j as %j", async (header, stored) => {
    expect(await send(newMessage(), { "x-client-address": header })).toEqual(accepted);
    expect(await findSubmissions()).toMatchObject([{ ip_address: stored }]);
  });
});
