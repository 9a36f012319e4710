import { describe, expect, it } from "vitest";
import { digestOfToken } from "#supabase/functions/_shared/secret-token.ts";
import { type Person, signInAdmin } from "../database/support/test-backend.ts";
import { useWorld } from "./support/world.ts";

const world = useWorld();

const enter = (token: string, body: unknown) => world.ask("second-factor", body, { authorization: `Bearer ${token}` });

async function makeSetupCode({ email }: Person): Promise<string> {
  const [row] = await world.sql<{ code: string }>("select private.make_setup_code($1) as code", [email]);
  return row!.code;
}

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

  it("accepts a setup code as people type it, which permits this session to enroll", async () => {
    const admin = await signInAdmin(world);
    const code = ` ${(await makeSetupCode(admin)).toUpperCase().replaceAll("-", " ")}\n`;
    expect(await enter(admin.token, { use: "setup", code })).toEqual([200, { ok: true }]);
    const permits = "select user_id from private.factor_permits where user_id = $1";
    expect(await world.sql(permits, [admin.id])).toEqual([{ user_id: admin.id }]);
  });

  it("responds 409 to a setup code while a second factor is active", async () => {
    const admin = await signInAdmin(world);
    await world.sql(
      `insert into auth.mfa_factors (id, user_id, factor_type, status, secret)
       values (gen_random_uuid(), $1, 'totp', 'verified', 'x')`,
      [admin.id],
    );
    const code = await makeSetupCode(admin);
    expect(await enter(admin.token, { use: "setup", code })).toEqual([409, { error: "has-factor" }]);
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
      expect(await enter(stranger, { use: "recovery", code: "0" })).toEqual([403, { error: "forbidden" }]);
  });
});
