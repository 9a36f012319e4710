import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { digestOfToken, newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { signInAdmin } from "../database/support/test-backend.ts";
import { type Site, startSite } from "./support/site.ts";

const password = "a phrase for the first time";

const newAddress = () => `${randomBytes(6).toString("hex")}@example.com`;

describe("account-links", () => {
  let site: Site;

  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site?.close());

  async function redeem(token: unknown, chosen: unknown = password) {
    const response = await site.call("account-links", { action: "redeem", token, password: chosen });
    return { status: response.status, body: await response.json() };
  }

  const requestLink = async (email: unknown) => {
    const response = await site.call("account-links", { action: "forgotten", email });
    return { status: response.status, body: await response.json() };
  };
  const mailsTo = (email: string) =>
    site.sql<{ body: string }>("select body from private.email_outbox where recipient = $1", [email]);

  async function invite(email: string): Promise<string> {
    const admin = await signInAdmin(site);
    const token = newSecretToken();
    const mail = { subject: "Invitation", body: `https://firm.example/login/password?token=${token}` };
    const invitation = { email, token_hash: await digestOfToken(token), mail };
    await site.client(admin.token).rpc("invite_admin", invitation).throwOnError();
    return token;
  }

  const signIn = async (email: string, chosen = password) => {
    const { data } = await site.client().auth.signInWithPassword({ email, password: chosen });
    return data.session?.access_token;
  };
  const isAdmin = async (token: string) =>
    (await site.client(token).rpc("admin_standing").throwOnError()).data === "admin";

  it("creates an account and an admin once from concurrent posts with an invitation", async () => {
    const email = newAddress();
    const token = await invite(email);
    const responses = await Promise.all(Array.from({ length: 4 }, () => redeem(token)));
    expect(responses.filter(({ status }) => status === 200)).toEqual([
      { status: 200, body: { ok: true, purpose: "invitation" } },
    ]);
    expect(responses.filter(({ status }) => status === 404)).toHaveLength(3);
    expect(await isAdmin((await signIn(email))!)).toBe(true);
    expect((await redeem(token)).status).toBe(404);
  });

  it("restores a removed admin by invitation, with a new password, and ends their old session", async () => {
    const person = await site.signIn();
    await site.sql(
      `update auth.users set raw_app_meta_data = raw_app_meta_data || '{"admin_revoked": true}' where id = $1`,
      [person.id],
    );
    site.settings.ADMIN_EMAILS = person.email;
    const claim = async (token: string) =>
      (await site.call("bootstrap-admin", undefined, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await claim(person.token)).toBe(403);
    expect(await redeem(await invite(person.email))).toMatchObject({ status: 200 });
    const token = (await signIn(person.email))!;
    expect([await isAdmin(token), await claim(token)]).toEqual([true, 200]);
    expect(await isAdmin(person.token)).toBe(false);
  });

  it("rejects weak passwords and invalid tokens, after which the link still works", async () => {
    const email = newAddress();
    const token = await invite(email);
    expect(await redeem(token, "password1234")).toMatchObject({ status: 422, body: { error: "password" } });
    expect(await redeem(token, "short")).toMatchObject({ status: 422, body: { error: "password" } });
    expect((await redeem(newSecretToken())).status).toBe(404);
    for (const wrong of ["", "short", 1, null, `${token}x`]) expect((await redeem(wrong)).status).toBe(400);
    expect((await redeem(token)).status).toBe(200);
  });

  it("releases the link after a backend failure and logs it without personal data", async () => {
    const token = await invite(newAddress());
    const reach = site.host.fetch!;
    for (const failing of ["/admin/users", "finish_account_link"]) {
      site.host.fetch = (input, init) =>
        new Request(input, init).url.includes(failing)
          ? Promise.reject(new TypeError("fetch failed"))
          : reach(input, init);
      expect(await redeem(token)).toEqual({ status: 503, body: { error: "unavailable" } });
    }
    site.host.fetch = reach;
    expect((await redeem(token)).status).toBe(200);
    const log = JSON.stringify(site.events);
    expect(log).toContain("account-link-failed");
    expect(log).not.toMatch(new RegExp(`${token}|${password}|@example`));
  });

  describe("for a forgotten password", () => {
    const same = { status: 200, body: { ok: true } };

    it("queues a link regardless of the address's case, and responds the same for an unknown address", async () => {
      const person = await site.signIn();
      expect(await requestLink(person.email.toUpperCase())).toEqual(same);
      expect(await requestLink(newAddress())).toEqual(same);
      expect(await requestLink("nobody")).toEqual({ status: 400, body: { error: "invalid" } });
      const [mail] = await mailsTo(person.email);
      const token = /token=([\w-]{43})/.exec(mail!.body)![1]!;
      const shown = await site.client().rpc("find_account_link", { token }).throwOnError();
      expect(shown.data).toEqual([{ purpose: "new-password", email: person.email }]);
      const [link] = await site.sql<{ time: string }>(
        "select (expires_at - made_at)::text as time from private.account_links where email = $1",
        [person.email],
      );
      expect(link).toEqual({ time: "00:30:00" });
      expect(await redeem(token)).toEqual({ status: 200, body: { ok: true, purpose: "new-password" } });
      expect((await redeem(token)).status).toBe(404);
      expect((await site.client(person.token).auth.getUser(person.token)).data.user).toBeNull();
      const next = (await signIn(person.email))!;
      // A new password grants no role.
      expect(await isAdmin(next)).toBe(false);
    });

    it("queues at most three links an hour for one mailbox, also under concurrent requests", async () => {
      const person = await site.signIn();
      const responses = await Promise.all(Array.from({ length: 6 }, () => requestLink(person.email)));
      expect(responses).toEqual(responses.map(() => same));
      expect(await mailsTo(person.email)).toHaveLength(3);
      const passed = "update private.account_links set made_at = made_at - interval '1 hour' where email = $1";
      await site.sql(passed, [person.email]);
      await requestLink(person.email);
      expect(await mailsTo(person.email)).toHaveLength(4);
    });

    it("sends no link to a removed admin", async () => {
      const [admin, person] = [await signInAdmin(site), await signInAdmin(site)];
      await requestLink(person.email);
      expect(await mailsTo(person.email)).toHaveLength(1);
      await site.client(admin.token).rpc("remove_admin", { user_id: person.id }).throwOnError();
      expect(await mailsTo(person.email)).toEqual([]);
      expect(await requestLink(person.email)).toEqual(same);
      expect(await mailsTo(person.email)).toEqual([]);
    });

    it("returns 503 when no mail could be queued", async () => {
      const reach = site.host.fetch!;
      site.host.fetch = () => Promise.reject(new TypeError("fetch failed"));
      expect(await requestLink(newAddress())).toEqual({ status: 503, body: { error: "unavailable" } });
      site.host.fetch = reach;
    });
  });

  it("rejects other methods, and keeps no link in the outbox after delivery", async () => {
    expect((await site.call("account-links", undefined, { method: "GET" })).status).toBe(405);
    const token = await invite(newAddress());
    await site.sql("update private.email_outbox set next_attempt_at = now()");
    const waiting =
      "select id, body from private.email_outbox where kind = 'account-link' and body like '%' || $1 || '%'";
    const [mail] = await site.sql<{ id: string }>(waiting, [token]);
    await site.service.rpc("settle_mails", { attempts: [{ mail_id: mail!.id, outcome: "filed" }] }).throwOnError();
    expect(await site.sql(waiting, [token])).toEqual([]);
  });
});
