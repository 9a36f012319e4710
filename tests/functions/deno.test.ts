import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { signCall, signatureHeader } from "#supabase/functions/_shared/host/site-signature.ts";
import { digestOfToken, newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { newDecision } from "../database/support/consent.ts";
import { signInAdmin } from "../database/support/test-backend.ts";
import { testAdmin } from "../support/test-admin.ts";
import { type DenoFunction, serveWithDeno } from "./support/deno.ts";
import { type HostedSite, startHostedSite } from "./support/hosted-site.ts";
import { type MailServer, startMailServer } from "./support/mail-server.ts";
import { newMessage, newRequest, siteKey } from "./support/site.ts";

describe("the functions in Deno, on PostgreSQL with PostgREST", () => {
  let site: HostedSite;
  let mailServer: MailServer;
  let contact: DenoFunction;
  let bootstrap: DenoFunction;
  let outbox: DenoFunction;
  let dataRights: DenoFunction;
  let accountLinks: DenoFunction;
  let counts: DenoFunction;
  let trouble: DenoFunction;
  let consent: DenoFunction;

  beforeAll(async () => {
    [site, mailServer] = await Promise.all([startHostedSite(), startMailServer()]);
    // Prevents a digest among the mails.
    await site.backend.sql("insert into private.digests (day) values ('infinity') returning day");
    const project = {
      SUPABASE_URL: site.url,
      // The format in which a hosted project passes its keys to functions.
      SUPABASE_SECRET_KEYS: JSON.stringify({ default: site.backend.rest.secretKey }),
      SITE_URL: "https://firm.example",
      SITE_KEY: siteKey,
    };
    const mail = {
      SMTP_URL: mailServer.url,
      SMTP_USER: "website",
      SMTP_PASSWORD: "pa/ss#?@%41",
      MAIL_FROM: "Firm, Inc. <website@firm.example>",
      CONTACT_TO: "Firm <hello@firm.example>; desk@firm.example",
    };
    [contact, bootstrap, outbox, dataRights, accountLinks, counts, trouble, consent] = await Promise.all([
      serveWithDeno("send-contact-email", { ...project, ...mail }),
      serveWithDeno("bootstrap-admin", {
        ...project,
        ADMIN_EMAILS: `Desk <desk@firm.example>; ${testAdmin.email.toUpperCase()}`,
      }),
      serveWithDeno("deliver-outbox", { ...project, ...mail }),
      serveWithDeno("receive-data-rights-request", { ...project, ...mail }),
      serveWithDeno("account-links", { ...project, ...mail }),
      serveWithDeno("report-counts", project),
      serveWithDeno("report-trouble", project),
      serveWithDeno("record-consent", project),
    ]);
  });
  beforeEach(async () => {
    // Mail of the test before may still be on its way.
    const isEmpty = async () => (await (await deliver(site.backend.rest.secretKey)).json()).remaining === 0;
    await vi.waitUntil(isEmpty, { timeout: 60_000 });
    mailServer.received.length = 0;
    await site.backend.exec(`delete from private.email_outbox; delete from public.contact_submissions;
      delete from private.rate_limits; delete from public.user_roles;`);
  });
  const functions = () => [contact, bootstrap, outbox, dataRights, accountLinks, counts, trouble, consent];
  afterEach(() => {
    const log = functions()
      .map((deno) => deno.output())
      .join("\n");
    const personal = ["ada@example.com", "Ada", "owner@", "Across", "hello@", "grace@", "joins@", "token="];
    const logged = personal.filter((text) => log.includes(text));
    if (logged.length > 0) throw new Error(`The log contains ${logged.join(", ")}`);
  });
  afterAll(async () => {
    await Promise.all(functions().map((deno) => deno?.close()));
    await mailServer?.close();
    await site?.close();
  });

  async function send(sent: unknown, sentHeaders: Record<string, string> = {}, to = contact) {
    const headers = new Headers({ "Content-Type": "application/json", ...sentHeaders });
    const body = JSON.stringify(sent);
    headers.set(signatureHeader, signCall(siteKey, { name: to.name, headers, body }));
    return fetch(to.url, { method: "POST", headers, body });
  }

  function deliver(apikey: string) {
    return fetch(outbox.url, { method: "POST", headers: { apikey } });
  }

  async function claimRole(token: string) {
    const response = await fetch(bootstrap.url, { method: "POST", headers: { authorization: `Bearer ${token}` } });
    return response.status;
  }

  it("stores a message once, however often it is sent, and mails it once", async () => {
    const message = newMessage({ message: "Across the wire 💚" });
    const headers = { "x-client-address": "2001:db8::7" };
    const responses = await Promise.all(Array.from({ length: 10 }, () => send(message, headers)));
    for (const response of responses) {
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ ok: true });
    }
    const stored = "select message, ip_address from public.contact_submissions";
    expect(await site.backend.sql(stored)).toEqual([{ message: "Across the wire 💚", ip_address: "2001:db8::7" }]);
    await expect.poll(() => mailServer.received.length).toBe(2);
    const firm = mailServer.received.find(({ recipients }) => recipients.includes("hello@firm.example"));
    expect(firm?.content.text).toContain("Across the wire 💚");
    expect(firm?.recipients).toEqual(["hello@firm.example", "desk@firm.example"]);
    expect(mailServer.signIns[0]).toEqual({ user: "website", password: "pa/ss#?@%41" });
    const waiting = "select id from private.email_outbox where delivered_at is null";
    await expect.poll(() => site.backend.sql(waiting)).toEqual([]);
    expect(mailServer.received).toHaveLength(2);
    await expect.poll(() => contact.output()).toContain("mail-delivered");
  });

  it("rejects the same input as in Node", async () => {
    expect(await (await send({ ...newMessage(), name: "" })).json()).toEqual({
      error: "invalid",
      fields: { name: ["Enter your name"] },
    });
    expect((await fetch(contact.url)).status).toBe(405);
    expect((await send(newMessage(), { "Content-Type": "text/plain" })).status).toBe(415);
    expect((await send(newMessage({ extra: "a".repeat(270_000) }))).status).toBe(413);
    const quarantined = newMessage({ honeypot: "x", message: "http://a.example http://b.example" });
    expect((await send(quarantined)).status).toBe(200);
    const stored = "select quarantine_reason from public.contact_submissions where message = $1";
    expect(await site.backend.sql(stored, [quarantined.message])).toEqual([{ quarantine_reason: "honeypot" }]);
  });

  it("mails trouble that the site reports, once", async () => {
    expect((await send({ causes: ["mail-waits"] }, {}, trouble)).status).toBe(400);
    const unsigned = { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"causes":[]}' };
    expect((await fetch(trouble.url, unsigned)).status).toBe(403);
    expect((await send({ causes: ["limits-refused"] }, {}, trouble)).status).toBe(200);
    for (let run = 0; run < 2; run += 1) expect((await deliver(site.backend.rest.secretKey)).status).toBe(200);
    expect(mailServer.received.map(({ content }) => content.subject)).toEqual([
      "firm.example: many visits were refused",
    ]);
  });

  it("delivers waiting mail for the holder of the secret key", async () => {
    for (const address of ["hello@firm.example", "desk@firm.example"]) mailServer.refuse(address, 451);
    expect((await send(newMessage())).status).toBe(200);
    const failed =
      "select split_part(last_error, ' ', 1) as last_error from private.email_outbox where delivered_at is null and last_error is not null";
    await expect.poll(() => site.backend.sql(failed)).toEqual([{ last_error: "smtp-451" }]);
    for (const address of ["hello@firm.example", "desk@firm.example"]) mailServer.refuse(address, null);
    await site.backend.sql("update private.email_outbox set next_attempt_at = now() returning 1 as ok");

    expect((await deliver(site.backend.rest.publishableKey)).status).toBe(403);
    // The run that the message started may still be active and may deliver the mail first.
    await expect
      .poll(async () => (await deliver(site.backend.rest.secretKey)).json())
      .toMatchObject({ failed: 0, remaining: 0 });
    expect(mailServer.received).toHaveLength(2);
  });

  it("receives a data rights request once, and mails the links that open it", async () => {
    const request = newRequest({ email: "grace@example.com" });
    const responses = await Promise.all(Array.from({ length: 5 }, () => send(request, {}, dataRights)));
    for (const response of responses) expect([response.status, await response.json()]).toEqual([200, { ok: true }]);
    await expect.poll(() => mailServer.received.length).toBe(2);
    const mail = mailServer.received.find(({ recipients }) => recipients.includes("grace@example.com"));
    const token = /confirm\?token=([A-Za-z0-9_-]{43})\s/.exec(mail?.content.text ?? "")?.[1];
    const confirmed = await site.backend.client().rpc("confirm_data_rights_request", { token }).throwOnError();
    expect(confirmed.data).toHaveLength(1);

    const refused = await send({ ...request, requestType: "all" }, {}, dataRights);
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { error: "invalid", fields: { requestType: ["Select the type of request"] } },
    ]);
    expect((await fetch(dataRights.url)).status).toBe(405);
  });

  it("grants the role only to the named person with a live session", async () => {
    const admins = "select user_id::text as id from public.user_roles";
    const other = await site.people.signIn();
    expect(await claimRole(other.token)).toBe(403);
    expect(await claimRole("nonsense")).toBe(403);
    expect(await site.backend.sql(admins)).toEqual([]);

    const signIn = await site.people.client().auth.signInWithPassword(testAdmin);
    const { id } = signIn.data.user!;
    const token = signIn.data.session!.access_token;
    await site.backend.sql("insert into auth.users (id, email) values ($1, $2) returning id", [id, testAdmin.email]);
    expect(await claimRole(token)).toBe(200);
    expect(await claimRole(token)).toBe(200);
    expect(await site.backend.sql(admins)).toEqual([{ id }]);
    await site.people.service.auth.admin.signOut(token, "local");
    expect(await claimRole(token)).toBe(403);
  });

  it("creates an account and an admin once from an invitation", async () => {
    const admin = await signInAdmin(site.backend);
    const [email, token] = ["joins@example.com", newSecretToken()];
    const invitation = { email, token_hash: await digestOfToken(token), mail: { subject: "Join", body: "us" } };
    await site.backend.client(admin.token).rpc("invite_admin", invitation).throwOnError();
    const redeem = async (password: string) =>
      (await send({ action: "redeem", token, password }, {}, accountLinks)).status;
    expect(await redeem("password1234")).toBe(422);
    expect(await redeem("a phrase for the first time")).toBe(200);
    expect(await redeem("a phrase for the first time")).toBe(404);
    const roles = "select role from public.user_roles join auth.users on id = user_id where email = $1";
    expect(await site.backend.sql(roles, [email])).toEqual([{ role: "admin" }]);
    const signIn = await site.people
      .client()
      .auth.signInWithPassword({ email, password: "a phrase for the first time" });
    expect(signIn.error).toBeNull();
  });

  it.each([
    ["messages", () => contact, newMessage],
    ["requests", () => dataRights, newRequest],
    ["cookie choices", () => consent, newDecision],
  ])("accepts 20 unsigned %s an hour, and all signed ones", async (_what, to, make) => {
    const responses = await Promise.all(Array.from({ length: 40 }, () => sendUnsigned(make(), to())));
    const statuses = responses.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([...Array<number>(20).fill(200), ...Array<number>(20).fill(429)]);
    expect((await send(make(), {}, to())).status).toBe(200);
  });

  it("adds counts from the holder of the site key only", async () => {
    const report = {
      id: crypto.randomUUID(),
      day: new Date().toISOString().slice(0, 10),
      counts: { view: { "/": 2 } },
    };
    expect((await sendUnsigned(report, counts)).status).toBe(403);
    for (let i = 0; i < 2; i += 1) expect((await send(report, {}, counts)).status).toBe(200);
    expect(await site.backend.sql("select kind, name, number::integer from private.day_counts")).toEqual([
      { kind: "view", name: "/", number: 2 },
    ]);
  });
});

function sendUnsigned(body: unknown, to: DenoFunction) {
  return fetch(to.url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}
