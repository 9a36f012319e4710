import type { Email } from "postal-mime";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dataRightsRequestTypes } from "#supabase/functions/_shared/data-rights-request.ts";
import { headerOf, type MailServer } from "./support/mail-server.ts";
import { newRequest, type Site } from "./support/site.ts";
import { startSiteWithMail } from "./support/site-with-mail.ts";

describe("receive-data-rights-request", () => {
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

  const send = (body: unknown, init?: RequestInit) => site.call("receive-data-rights-request", body, init);

  async function findRequests(description: string) {
    return site.sql<Record<string, unknown>>(
      `select id, reference, request_type, name, email, description, state, quarantine_reason,
         to_char(due_on, 'FMMonth FMDD, YYYY') as due
       from public.data_rights_requests where description = $1`,
      [description],
    );
  }

  function mailTo(address: string): Email {
    const mail = mailServer.received.find(({ recipients }) => recipients.includes(address));
    if (!mail) throw new Error(`no mail to ${address}`);
    return mail.content;
  }

  it.each(dataRightsRequestTypes)("stores a request of type %s and mails requester and firm", async (requestType) => {
    const request = newRequest({ requestType });
    const response = await send(request);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ ok: true });
    const [stored, ...others] = await findRequests(request.description);
    expect(others).toEqual([]);
    expect(stored).toMatchObject({ request_type: requestType, name: request.name, email: request.email });

    await site.finishBackgroundWork();
    expect(mailServer.received).toHaveLength(2);
    const acknowledgement = mailTo("ada@example.com");
    expect(acknowledgement.replyTo).toMatchObject([{ address: "hello@firm.example" }]);
    expect(headerOf(acknowledgement, "auto-submitted")).toBe("auto-replied");
    const confirmBy = `Open this link by ${String(stored!.due)}`;
    for (const text of [
      stored!.reference,
      stored!.due,
      confirmBy,
      "If you did not make this request, you don't need to do anything",
    ]) {
      expect(acknowledgement.text).toContain(text);
    }
    const firm = mailTo("hello@firm.example");
    expect(headerOf(firm, "auto-submitted")).toBe("auto-generated");
    expect(firm.subject).toContain(stored!.reference);
    for (const text of [
      stored!.reference,
      stored!.due,
      `\nOpen it here: https://firm.example/admin/requests/${String(stored!.id)}\n`,
    ])
      expect(firm.text).toContain(text);
    for (const personal of ["ada@example.com", "Ada", request.description]) {
      expect(JSON.stringify(firm)).not.toContain(personal);
    }
  });

  it("opens a complaint, acknowledges it without a confirmation link, and notifies the firm", async () => {
    const request = newRequest({ requestType: "complaint" });
    expect((await send(request)).status).toBe(200);
    const [stored] = await findRequests(request.description);
    expect(stored).toMatchObject({ request_type: "complaint", state: "open" });
    await site.finishBackgroundWork();
    expect(mailServer.received).toHaveLength(2);
    const acknowledgement = mailTo("ada@example.com");
    expect(acknowledgement.subject).toBe(`We have received your complaint ${String(stored!.reference)}`);
    for (const words of [
      "at firm.example",
      `tell you the outcome by: ${String(stored!.due)}`,
      "/data-rights/status?token=",
    ])
      expect(acknowledgement.text).toContain(words);
    expect(acknowledgement.text).not.toContain("/data-rights/confirm");
    expect(acknowledgement.text).not.toContain(request.description);
    const firm = mailTo("hello@firm.example");
    expect(firm.subject).toBe(`Complaint ${String(stored!.reference)}, due ${String(stored!.due)}`);
    expect(firm.text).toContain(`\nOpen it here: https://firm.example/admin/requests/${String(stored!.id)}\n`);
    expect(JSON.stringify(firm)).not.toContain("ada@example.com");
  });

  it("sends a confirmation link and a status link", async () => {
    const request = newRequest();
    await send(request);
    await site.finishBackgroundWork();
    const text = mailTo("ada@example.com").text ?? "";
    const tokenOf = (page: string) =>
      new RegExp(`https://firm\\.example/data-rights/${page}\\?token=([A-Za-z0-9_-]{43})\\s`).exec(text)?.[1];
    const [confirm, status] = [tokenOf("confirm"), tokenOf("status")];
    expect(confirm).not.toBe(status);
    const visitor = site.client();
    const [stored] = await findRequests(request.description);
    const found = await visitor.rpc("find_data_rights_status", { token: status }).throwOnError();
    expect(found.data).toMatchObject([{ reference: stored!.reference, state: "unconfirmed" }]);
    const confirmed = await visitor.rpc("confirm_data_rights_request", { token: confirm }).throwOnError();
    expect(confirmed.data).toMatchObject([{ reference: stored!.reference }]);
    expect(await findRequests(request.description)).toMatchObject([{ state: "open" }]);
    // After delivery, the mail in the outbox contains no working link.
    const kept = await site.sql<{ body: string }>("select body from private.email_outbox");
    for (const { body } of kept) expect([body.includes(confirm!), body.includes(status!)]).toEqual([false, false]);
  });

  it("quotes no input, and fills in no placeholder in it", async () => {
    const description = "Zyx-description {{reference}} {{due_on}}";
    await send(newRequest({ name: "Zyx-name {{reference}}", description }));
    await site.finishBackgroundWork();
    expect(mailServer.received).toHaveLength(2);
    for (const { content } of mailServer.received) expect(JSON.stringify(content)).not.toMatch(/Zyx|\{\{/);
    expect(await findRequests(description)).toHaveLength(1);
  });

  it("returns the same response for known and unknown addresses, repeated requests and tripped honeypots", async () => {
    const known = newRequest();
    await site.call("send-contact-email", {
      ...newRequest(),
      company: "E",
      stage: "G",
      goal: "S",
      message: "M",
      privacyConsent: true,
    });
    const bodies = [known, known, newRequest({ email: "nobody@example.com" }), newRequest({ honeypot: "x" })];
    for (const body of bodies) {
      const response = await send(body);
      const { date: _when, ...headers } = Object.fromEntries(response.headers);
      expect([response.status, await response.json(), headers]).toEqual([
        200,
        { ok: true },
        { "cache-control": "no-store", "content-type": "application/json" },
      ]);
    }
  });

  it("stores an identical request once", async () => {
    const request = newRequest();
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(request)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await site.finishBackgroundWork();
    expect(await findRequests(request.description)).toHaveLength(1);
    expect(mailServer.received).toHaveLength(2);
  });

  it("mails a request that tripped the honeypot, notifies the firm, and treats a second attempt as the same request", async () => {
    const request = newRequest({ honeypot: "https://spam.example" });
    expect((await send(request)).status).toBe(200);
    await site.finishBackgroundWork();
    expect(await findRequests(request.description)).toMatchObject([{ quarantine_reason: "honeypot" }]);
    expect(mailTo("ada@example.com").text).toContain("/data-rights/confirm?token=");
    expect(mailTo("hello@firm.example").text).toContain("the form's hidden field was filled in");
    expect((await send({ ...request, honeypot: "" })).status).toBe(200);
    await site.finishBackgroundWork();
    expect(await findRequests(request.description)).toHaveLength(1);
    expect(mailServer.received).toHaveLength(2);
  });
});
