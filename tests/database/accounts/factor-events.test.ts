import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { digestOfToken } from "#supabase/functions/_shared/secret-token.ts";
import { eachBackend } from "../support/backends.ts";
import { type Person, signInAdmin } from "../support/test-backend.ts";

eachBackend("second-factor events", (backend) => {
  async function setUp({ id }: Person): Promise<string> {
    const factor = randomUUID();
    const insert = `insert into auth.mfa_factors (id, user_id, factor_type, status, secret)
       values ($1, $2, 'totp', 'unverified', 'x') returning id`;
    await backend.sql(insert, [factor, id]);
    await backend.sql("update auth.mfa_factors set status = 'verified' where id = $1 returning id", [factor]);
    return factor;
  }

  async function enterRecoveryCode({ id }: Person, code: string) {
    const call = { person: id, code_digest: await digestOfToken(code), own_session: randomUUID() };
    return (await backend.service.rpc("use_recovery_code", call).throwOnError()).data as string;
  }

  /** Returns the events that the owner is mailed about, and expects the same events in the admin log. */
  async function readNotifiedEvents({ id, email }: Person): Promise<string[]> {
    const mailed = "select kind from private.account_events where user_id = $1 and is_mail_due order by id";
    const kinds = (await backend.sql<{ kind: string }>(mailed, [id])).map(({ kind }) => kind);
    const logged = "select action as kind from public.admin_events where person = $1 order by id";
    expect((await backend.sql<{ kind: string }>(logged, [email])).map(({ kind }) => kind)).toEqual(kinds);
    return kinds;
  }

  it("mails and logs a change of a factor even if the sign-in service made it", async () => {
    const admin = await signInAdmin(backend);
    const factor = await setUp(admin);
    await backend.sql("update auth.mfa_factors set status = 'verified' where id = $1 returning id", [factor]);
    expect(await readNotifiedEvents(admin)).toEqual(["factor-on"]);
    await backend.sql("delete from auth.mfa_factors where id = $1 returning id", [factor]);
    expect(await readNotifiedEvents(admin)).toEqual(["factor-on", "factor-off"]);
  });

  it("reports a used recovery code, and not also a removed factor", async () => {
    const admin = await signInAdmin(backend);
    await setUp(admin);
    await backend.sql("insert into private.recovery_codes (user_id, digest) values ($1, $2) returning 1", [
      admin.id,
      await digestOfToken("a code"),
    ]);
    expect(await enterRecoveryCode(admin, "a code")).toBe("right");
    expect(await readNotifiedEvents(admin)).toEqual(["factor-on", "recovery-code"]);
  });

  it("reports five wrong codes of any kind and session once an hour", async () => {
    const admin = await signInAdmin(backend);
    const client = backend.client(admin.token);
    for (let count = 0; count < 4; count++) await client.rpc("record_wrong_code").throwOnError();
    expect(await readNotifiedEvents(admin)).toEqual([]);
    expect(await enterRecoveryCode(admin, "none of theirs")).toBe("wrong");
    expect(await readNotifiedEvents(admin)).toEqual(["wrong-codes"]);
    for (let count = 0; count < 6; count++) await client.rpc("record_wrong_code").throwOnError();
    expect(await readNotifiedEvents(admin)).toEqual(["wrong-codes"]);
    await backend.sql("delete from auth.sessions where user_id = $1 returning id", [admin.id]);
    expect((await client.rpc("record_wrong_code")).error?.code).toBe("42501");
  });

  it("lets an account be deleted together with its factor", async () => {
    const admin = await signInAdmin(backend);
    await setUp(admin);
    expect(await backend.sql("delete from auth.users where id = $1 returning id", [admin.id])).toHaveLength(1);
  });
});
