import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { digestOfToken, newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { call } from "../database/support/admin.ts";
import { signInAdmin } from "../database/support/test-backend.ts";
import { useWorld } from "./support/world.ts";

const world = useWorld();

const password = "a phrase for the first time";
const newAddress = () => `${randomBytes(6).toString("hex")}@example.com`;

const redeem = (token: unknown, chosen: unknown = password) =>
  world.ask("account-links", { action: "redeem", token, password: chosen });
const requestLink = (email: unknown) => world.ask("account-links", { action: "forgotten", email });
/** Redeems a link and returns the status alone. */
const statusOf = async (token: unknown) => (await redeem(token))[0];

const mailsTo = (email: string) =>
  world.sql<{ id: string; body: string }>("select id, body from private.email_outbox where recipient = $1", [email]);

async function invite(email: string): Promise<string> {
  const token = newSecretToken();
  const mail = { subject: "Invitation", body: `https://firm.example/login/password?token=${token}` };
  await world.admin.rpc("invite_admin", { email, token_hash: await digestOfToken(token), mail }).throwOnError();
  return token;
}

const signIn = async (email: string) =>
  (await world.client().auth.signInWithPassword({ email, password })).data.session!.access_token;
const isAdmin = async (token: string) => (await call(world.client(token), "admin_standing")) === "admin";

describe("an account link", () => {
  it("creates an account and an admin once from concurrent posts with an invitation", async () => {
    const email = newAddress();
    const token = await invite(email);
    const responses = await Promise.all(Array.from({ length: 4 }, () => redeem(token)));
    const accepted = responses.filter(([status]) => status === 200);
    expect(accepted).toEqual([[200, { ok: true, purpose: "invitation" }]]);
    expect(responses.filter(([status]) => status === 404)).toHaveLength(3);
    expect(await isAdmin(await signIn(email))).toBe(true);
    expect(await statusOf(token)).toBe(404);
  });

  it("rejects weak passwords and invalid tokens, after which it still works", async () => {
    const token = await invite(newAddress());
    for (const weak of ["password1234", "short", "https://firm.example"])
      expect(await redeem(token, weak)).toMatchObject([422, { error: "password" }]);
    expect(await statusOf(newSecretToken())).toBe(404);
    for (const wrong of ["", "short", 1, null, `${token}x`]) expect(await statusOf(wrong)).toBe(400);
    expect(await statusOf(token)).toBe(200);
  });

  it("works again after a backend failure, which is logged without personal data", async () => {
    const token = await invite(newAddress());
    const { fetch } = world.host;
    for (const failing of ["/admin/users", "finish_account_link"]) {
      world.breakBackend(failing);
      expect(await redeem(token)).toEqual([503, { error: "unavailable" }]);
    }
    world.host.fetch = fetch;
    expect(await statusOf(token)).toBe(200);
    const log = JSON.stringify(world.events);
    expect(log).toContain("account-link-failed");
    expect(log).not.toMatch(new RegExp(`${token}|${password}|@example`));
  });
});

describe("a link for a forgotten password", () => {
  const same = [200, { ok: true }];

  it("goes to the account's owner regardless of case, with the same response for an unknown address", async () => {
    const person = await world.signIn();
    for (const email of [newAddress(), person.email.toUpperCase()]) expect(await requestLink(email)).toEqual(same);
    expect(await requestLink("nobody")).toEqual([400, { error: "invalid" }]);
    const [mail, ...others] = await world.takeMails(person.email);
    expect(others).toEqual([]);
    const token = /token=([\w-]{43})/.exec(mail!.text)![1]!;
    // Delivered mail keeps no working link.
    expect(JSON.stringify(await mailsTo(person.email))).not.toContain(token);
    const lasts = `select ceil(extract(epoch from expires_at - now()) / 60)::integer as minutes
                   from private.account_links where email = $1`;
    expect(await world.sql(lasts, [person.email])).toEqual([{ minutes: 30 }]);
    expect(await redeem(token)).toEqual([200, { ok: true, purpose: "new-password" }]);
    // A new password grants no role.
    expect(await isAdmin(await signIn(person.email))).toBe(false);
  });

  it("is queued three times an hour at most for one mailbox, also under concurrent requests", async () => {
    const person = await world.signIn();
    delete world.settings.SMTP_URL;
    const responses = await Promise.all(Array.from({ length: 6 }, () => requestLink(person.email)));
    expect(responses).toEqual(responses.map(() => same));
    expect(await mailsTo(person.email)).toHaveLength(3);
    const passed = "update private.account_links set made_at = made_at - interval '1 hour' where email = $1";
    await world.sql(passed, [person.email]);
    await requestLink(person.email);
    expect(await mailsTo(person.email)).toHaveLength(4);
  });

  it("ends with the role of its admin, who gets no other", async () => {
    const person = await signInAdmin(world);
    delete world.settings.SMTP_URL;
    await requestLink(person.email);
    expect(await mailsTo(person.email)).toHaveLength(1);
    await world.admin.rpc("remove_admin", { user_id: person.id }).throwOnError();
    expect(await requestLink(person.email)).toEqual(same);
    expect(await mailsTo(person.email)).toEqual([]);
  });
});
