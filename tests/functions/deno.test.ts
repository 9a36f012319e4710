import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { signCall, signatureHeader } from "#supabase/functions/_shared/host/site-signature.ts";
import { digestOfToken, newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { newDecision } from "../database/support/consent.ts";
import { signInAdmin } from "../database/support/test-backend.ts";
import { testAdmin } from "../support/test-admin.ts";
import { type DenoFunction, serveWithDeno } from "./support/deno.ts";
import { type HostedSite, startHostedSite } from "./support/hosted-site.ts";
import { type MailServer, startMailServer } from "./support/mail-server.ts";
import { newMessage, siteKey } from "./support/site.ts";

const names = [
  "send-contact-email",
  "receive-data-rights-request",
  "bootstrap-admin",
  "account-links",
  "deliver-outbox",
  "report-counts",
  "report-trouble",
  "record-consent",
] as const;

/** Proves that the code, which the other tests run in Node, serves in Deno. */
describe("the functions in Deno, on PostgreSQL with PostgREST", () => {
  let site: HostedSite;
  let mailServer: MailServer;
  const served = new Map<string, DenoFunction>();

  beforeAll(async () => {
    [site, mailServer] = await Promise.all([startHostedSite(), startMailServer()]);
    // Prevents a digest among the mails.
    await site.backend.sql("insert into private.digests (day) values ('infinity') returning day");
    const settings = {
      SUPABASE_URL: site.url,
      // The format in which a hosted project passes its keys to functions.
      SUPABASE_SECRET_KEYS: JSON.stringify({ default: site.backend.rest.secretKey }),
      SITE_URL: "https://firm.example",
      SITE_KEY: siteKey,
      SMTP_URL: mailServer.url,
      SMTP_USER: "website",
      SMTP_PASSWORD: "pa/ss#?@%41",
      MAIL_FROM: "Firm, Inc. <website@firm.example>",
      CONTACT_TO: "Firm <hello@firm.example>; desk@firm.example",
      ADMIN_EMAILS: `Desk <desk@firm.example>; ${testAdmin.email.toUpperCase()}`,
    };
    await Promise.all(names.map(async (name) => served.set(name, await serveWithDeno(name, settings))));
  });
  afterEach(() => {
    const log = [...served.values()].map((deno) => deno.output()).join("\n");
    const personal = ["ada@example.com", "Ada", "owner@", "Across", "hello@", "joins@", "token="];
    const logged = personal.filter((text) => log.includes(text));
    if (logged.length > 0) throw new Error(`The log contains ${logged.join(", ")}`);
  });
  afterAll(async () => {
    await Promise.all([...served.values()].map((deno) => deno.close()));
    await mailServer?.close();
    await site?.close();
  });

  const post = (name: (typeof names)[number], headers: HeadersInit, body?: string) =>
    fetch(served.get(name)!.url, { method: "POST", headers, ...(body === undefined ? {} : { body }) });

  /** Calls a function as the site does. */
  async function send(name: (typeof names)[number], content: unknown, sentHeaders: Record<string, string> = {}) {
    const headers = new Headers({ "Content-Type": "application/json", ...sentHeaders });
    const body = JSON.stringify(content);
    headers.set(signatureHeader, signCall(siteKey, { name, headers, body }));
    const response = await post(name, headers, body);
    return [response.status, await response.json()];
  }

  const deliver = async (apikey: string) => (await post("deliver-outbox", { apikey })).json();
  const mailsTo = (address: string) => mailServer.received.filter(({ recipients }) => recipients.includes(address));

  it("receive a message, store it and mail it", async () => {
    const message = newMessage({ message: "Across the wire 💚" });
    const headers = { "x-client-address": "2001:db8::7" };
    expect(await send("send-contact-email", message, headers)).toEqual([200, { ok: true }]);
    const stored = "select message, ip_address from public.contact_submissions";
    expect(await site.backend.sql(stored)).toEqual([{ message: "Across the wire 💚", ip_address: "2001:db8::7" }]);
    await expect.poll(() => mailServer.received.length).toBe(2);
    const [toFirm] = mailsTo("desk@firm.example");
    expect(toFirm?.content.text).toContain("Across the wire 💚");
    expect(toFirm?.recipients).toEqual(["hello@firm.example", "desk@firm.example"]);
    expect(mailServer.signIns[0]).toEqual({ user: "website", password: "pa/ss#?@%41" });
    await expect.poll(() => served.get("send-contact-email")!.output()).toContain("mail-delivered");
  });

  it("mail trouble that the site reports, for the holder of the secret key", async () => {
    expect(await send("report-trouble", { causes: ["limits-refused"] })).toEqual([200, { ok: true }]);
    expect(await deliver(site.backend.rest.publishableKey)).toEqual({ error: "forbidden" });
    // The run that the message started may still be active and may deliver the mail first.
    await expect.poll(() => deliver(site.backend.rest.secretKey)).toMatchObject({ failed: 0, remaining: 0 });
    const subjects = mailsTo("desk@firm.example").map(({ content }) => content.subject);
    expect(subjects).toContain("firm.example: many visits were refused");
  });

  it("grant the role to the named person", async () => {
    const signIn = await site.people.client().auth.signInWithPassword(testAdmin);
    const { id } = signIn.data.user!;
    await site.backend.sql("insert into auth.users (id, email) values ($1, $2) returning id", [id, testAdmin.email]);
    const authorization = `Bearer ${signIn.data.session!.access_token}`;
    expect((await post("bootstrap-admin", { authorization })).status).toBe(200);
    expect(await site.backend.sql("select user_id::text as id from public.user_roles")).toEqual([{ id }]);
    expect((await post("bootstrap-admin", { authorization: `${authorization}x` })).status).toBe(403);
  });

  it("create an account and an admin from an invitation", async () => {
    const admin = await signInAdmin(site.backend);
    const [email, token] = ["joins@example.com", newSecretToken()];
    const invitation = { email, token_hash: await digestOfToken(token), mail: { subject: "Join", body: "us" } };
    await site.backend.client(admin.token).rpc("invite_admin", invitation).throwOnError();
    const password = "a phrase for the first time";
    expect((await send("account-links", { action: "redeem", token, password }))[0]).toBe(200);
    const roles = "select role from public.user_roles join auth.users on id = user_id where email = $1";
    expect(await site.backend.sql(roles, [email])).toEqual([{ role: "admin" }]);
    expect((await site.people.client().auth.signInWithPassword({ email, password })).error).toBeNull();
  });

  it("know the site's signature", async () => {
    const day = new Date().toISOString().slice(0, 10);
    const report = { id: crypto.randomUUID(), day, counts: { view: { "/": 2 } } };
    const json = { "Content-Type": "application/json" };
    expect((await post("report-counts", json, JSON.stringify(report))).status).toBe(403);
    expect(await send("report-counts", report)).toEqual([200, { ok: true }]);
    expect(await send("record-consent", newDecision())).toEqual([200, { ok: true }]);
  });
});
