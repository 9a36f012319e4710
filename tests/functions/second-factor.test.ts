import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { digestOfToken } from "#supabase/functions/_shared/secret-token.ts";
import { signInAdmin } from "../database/support/test-backend.ts";
import { type Site, startSite } from "./support/site.ts";

describe("second-factor", () => {
  let site: Site;

  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site?.close());

  async function enter(token: string | undefined, body: unknown) {
    const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
    const response = await site.call("second-factor", body, { headers });
    return { status: response.status, body: (await response.json()) as unknown };
  }

  async function giveCode(person: string, code: string) {
    const insert = "insert into private.recovery_codes (user_id, digest) values ($1, $2) returning 1";
    await site.sql(insert, [person, await digestOfToken(code)]);
  }

  it("accepts a recovery code once, regardless of case, spaces and hyphens", async () => {
    const admin = await signInAdmin(site);
    await giveCode(admin.id, "0123456789abcdef0123");
    const typed = { use: "recovery", code: " 01234-56789 ABCDE-f0123" };
    expect(await enter(admin.token, typed)).toEqual({ status: 200, body: { ok: true } });
    expect(await enter(admin.token, typed)).toEqual({ status: 403, body: { error: "wrong-code" } });
  });

  it("accepts only the caller's own setup code, once", async () => {
    const [admin, other] = [await signInAdmin(site), await signInAdmin(site)];
    const makeCode = async (email: string) =>
      (await site.sql<{ code: string }>("select private.make_setup_code($1) as code", [email]))[0]!.code;
    const code = await makeCode(admin.email);
    const typed = { use: "setup", code: ` ${code.toUpperCase().replaceAll("-", " ")}\n` };
    expect((await enter(other.token, typed)).status).toBe(403);
    expect((await enter(admin.token, { use: "setup", code: "" })).status).toBe(403);
    expect((await enter(admin.token, typed)).status).toBe(200);
    expect((await enter(admin.token, typed)).status).toBe(403);
    const permits = "select user_id from private.factor_permits where user_id in ($1, $2)";
    expect(await site.sql(permits, [admin.id, other.id])).toEqual([{ user_id: admin.id }]);
  });

  it("keeps an active second factor when a setup code is entered", async () => {
    const admin = await signInAdmin(site);
    const insert = `insert into auth.mfa_factors (id, user_id, factor_type, status, secret)
       values (gen_random_uuid(), $1, 'totp', 'verified', 'x') returning id`;
    const [factor] = await site.sql<{ id: string }>(insert, [admin.id]);
    const [setup] = await site.sql<{ code: string }>("select private.make_setup_code($1) as code", [admin.email]);
    expect(await enter(admin.token, { use: "setup", code: setup!.code })).toEqual({
      status: 409,
      body: { error: "has-factor" },
    });
    expect(await site.sql("select id from auth.mfa_factors where user_id = $1", [admin.id])).toEqual([factor]);
  });

  it("allows five attempts in 15 minutes, and logs the sixth", async () => {
    const admin = await signInAdmin(site);
    const statuses = [];
    for (let count = 0; count < 6; count++)
      statuses.push((await enter(admin.token, { use: "recovery", code: "none" })).status);
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429]);
    expect(site.events).toContainEqual({ event: "second-factor.code", use: "recovery", result: "wait" });
    expect(JSON.stringify(site.events)).not.toContain(admin.email);
  });

  it.each([[{}], [{ use: "recovery" }], [{ use: "other", code: "x" }], [{ use: "setup", code: 7 }]])(
    "rejects the body %j",
    async (body) => {
      expect((await enter((await signInAdmin(site)).token, body)).status).toBe(400);
    },
  );

  it("rejects callers who are not signed in", async () => {
    const codeRequest = { use: "recovery", code: "0".repeat(20) };
    for (const token of [undefined, "nonsense", site.embedded.publishableKey, site.embedded.secretKey, randomUUID()])
      expect((await enter(token, codeRequest)).status).toBe(403);
  });
});
