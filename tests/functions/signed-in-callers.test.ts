import { describe, expect, it } from "vitest";
import { digestOfToken } from "#supabase/functions/_shared/secret-token.ts";
import { type Person, signInAdmin } from "../database/support/test-backend.ts";
import { useWorld } from "./support/world.ts";

const world = useWorld();

const ask = (name: string, token?: string, body?: unknown) =>
  world.ask(name, body, token === undefined ? {} : { authorization: `Bearer ${token}` });
const forbidden = [403, { error: "forbidden" }];

const bootstrap = (token?: string) => ask("bootstrap-admin", token);
const isAdmin = async ({ token }: Person) =>
  (await world.client(token).rpc("admin_standing").throwOnError()).data === "admin";
const enter = (token: string, body: unknown) => ask("second-factor", token, body);

async function makeSetupCode({ email }: Person): Promise<string> {
  const [row] = await world.sql<{ code: string }>("select private.make_setup_code($1) as code", [email]);
  return row!.code;
}

describe("bootstrap-admin", () => {
  it("grants the role to a confirmed address on the list, regardless of case, and repeatedly", async () => {
    const person = await world.signIn();
    expect(await isAdmin(person)).toBe(false);
    world.settings.ADMIN_EMAILS = ` other@example.com , ${person.email.toUpperCase()} `;
    for (let time = 0; time < 2; time += 1) expect(await bootstrap(person.token)).toEqual([200, { ok: true }]);
    expect(await isAdmin(person)).toBe(true);
  });

  it.each<[string, (person: Person) => string | undefined]>([
    ["nobody on the list", () => undefined],
    ["similar addresses on the list", ({ email }) => `x${email}, ${email}.example`],
  ])("grants no role with %s", async (_case, list) => {
    const person = await world.signIn();
    world.settings.ADMIN_EMAILS = list(person);
    expect(await bootstrap(person.token)).toEqual(forbidden);
    expect(await isAdmin(person)).toBe(false);
  });

  const unconfirm = "update auth.users set email_confirmed_at = null where id = $1";
  it.each<[string, (person: Person) => unknown]>([
    ["no token", () => undefined],
    ["a changed token", ({ token }) => `${token}x`],
    [
      "a signed-out token",
      async ({ token }) => (await world.service.auth.admin.signOut(token, "local")).error ?? token,
    ],
    ["an unconfirmed address", async ({ id, token }) => (await world.sql(unconfirm, [id]), token)],
  ])("gives the same refusal to a caller with %s", async (_case, take) => {
    const person = await world.signIn();
    world.settings.ADMIN_EMAILS = person.email;
    expect(await bootstrap((await take(person)) as string | undefined)).toEqual(forbidden);
  });
});

describe("second-factor", () => {
  it("accepts a recovery code once, regardless of case, spaces and hyphens", async () => {
    const admin = await signInAdmin(world);
    await world.sql("insert into private.recovery_codes (user_id, digest) values ($1, $2)", [
      admin.id,
      await digestOfToken("0123456789abcdef0123"),
    ]);
    const typed = { use: "recovery", code: " 01234-56789 ABCDE-f0123" };
    expect(await enter(admin.token, typed)).toEqual([200, { ok: true }]);
    expect(await enter(admin.token, typed)).toEqual([403, { error: "wrong-code" }]);
  });

  it("accepts a setup code as people type it, and responds 409 while a second factor is active", async () => {
    const admin = await signInAdmin(world);
    const code = ` ${(await makeSetupCode(admin)).toUpperCase().replaceAll("-", " ")}\n`;
    expect(await enter(admin.token, { use: "setup", code })).toEqual([200, { ok: true }]);
    await world.sql(
      `insert into auth.mfa_factors (id, user_id, factor_type, status, secret)
       values (gen_random_uuid(), $1, 'totp', 'verified', 'x')`,
      [admin.id],
    );
    const another = { use: "setup", code: await makeSetupCode(admin) };
    expect(await enter(admin.token, another)).toEqual([409, { error: "has-factor" }]);
  });

  it("responds 429 after five attempts, and logs no address", async () => {
    const admin = await signInAdmin(world);
    const attempts = [];
    for (let count = 0; count < 6; count++) attempts.push((await enter(admin.token, { use: "recovery", code: "" }))[0]);
    expect(attempts).toEqual([403, 403, 403, 403, 403, 429]);
    expect(world.events).toContainEqual({ event: "second-factor.code", use: "recovery", result: "wait" });
    expect(JSON.stringify(world.events)).not.toContain(admin.email);
  });

  it("rejects another use, and callers who are not signed in", async () => {
    const { token } = await signInAdmin(world);
    for (const body of [{ use: "recovery" }, { use: "other", code: "x" }, { use: "setup", code: 7 }])
      expect(await enter(token, body)).toEqual([400, { error: "invalid" }]);
    for (const stranger of ["nonsense", world.embedded.publishableKey, world.embedded.secretKey])
      expect(await enter(stranger, { use: "recovery", code: "0" })).toEqual(forbidden);
  });
});
