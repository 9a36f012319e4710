import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeEach, describe, expect, it } from "vitest";
import { addFactor, enterCode, sessionOf, verifyFactor as verifyNewFactor } from "../support/accounts.ts";
import { call } from "../support/admin.ts";
import { useBackend } from "../support/backends.ts";
import { startHostedBackend } from "../support/hosted-backend.ts";
import { readClaims } from "../support/postgres/json-web-token.ts";
import { countRows, setRows } from "../support/retention.ts";
import { type Person, signInAdmin } from "../support/test-backend.ts";

type Level = "aal1" | "aal2" | undefined;

const backend = useBackend(() => startHostedBackend());

/** Signs in an admin whose session has this level. The token states the same level unless `token` differs. */
async function signInAt(session: Level, token: Level = session): Promise<{ admin: Person; client: SupabaseClient }> {
  const admin = await signInAdmin(backend);
  await setRows(backend, "auth.sessions", admin.id, `aal = ${session ? `'${session}'` : "null"}`, "user_id");
  return { admin, client: clientAt(admin, token) };
}

function clientAt(admin: Person, aal: Level, claims: Record<string, unknown> = {}): SupabaseClient {
  return backend.client(backend.rest.signToken({ ...readClaims(admin.token), aal, ...claims }));
}

const standingOf = (client: SupabaseClient): Promise<string> => call(client, "admin_standing");

const createCodes = (client: SupabaseClient): Promise<string[]> => call(client, "create_recovery_codes");
const use = (person: Person, code: string, session?: string) =>
  enterCode(backend, "use_recovery_code", person, code, session);
const requireFactor = (wanted: boolean) => backend.service.rpc("require_second_factor", { wanted }).throwOnError();

async function makeSetupCode({ email }: Person): Promise<string> {
  const [made] = await backend.sql<{ code: string }>("select private.make_setup_code($1) as code", [email]);
  return made?.code.replaceAll("-", "") ?? "";
}

/** Enters a setup code, by default a new one. */
async function enterSetupCode(person: Person, code?: string, session = sessionOf(person)) {
  return enterCode(backend, "use_setup_code", person, code ?? (await makeSetupCode(person)), session);
}

/** Opens another session of the person, authenticated by the password alone. */
async function openSession(person: Person): Promise<{ id: string; client: SupabaseClient }> {
  const id = randomUUID();
  await backend.sql("insert into auth.sessions (id, user_id, aal) values ($1, $2, 'aal1') returning id", [
    id,
    person.id,
  ]);
  return { id, client: clientAt(person, "aal1", { session_id: id }) };
}

/** Verifies a new factor in the person's session. */
async function verifyFactor(person: Person): Promise<void> {
  const factor = await verifyNewFactor(backend, person);
  await setRows(backend, "auth.sessions", sessionOf(person), `aal = 'aal2', factor_id = '${factor}'`);
}

describe("optional second factor", () => {
  it.each<[Level, Level, "verified" | "unverified" | null, string]>([
    ["aal1", "aal1", null, "admin"],
    ["aal1", "aal1", "unverified", "admin"],
    ["aal1", "aal1", "verified", "challenge"],
    [undefined, undefined, "verified", "challenge"],
    ["aal2", "aal1", "verified", "challenge"],
    // The token predates the removal of one factor and the setup of another.
    ["aal1", "aal2", "verified", "challenge"],
    ["aal2", "aal2", "verified", "admin"],
  ])("puts a session at %s with a token at %s and a factor that is %s in the standing %s", async (...row) => {
    const [session, token, factor, expected] = row;
    const { admin, client } = await signInAt(session, token);
    if (factor) await addFactor(backend, admin, factor);
    expect(await standingOf(client)).toBe(expected);
  });
});

describe("recovery codes", () => {
  it("removes the factor once per code, and only for the owner of the code", async () => {
    const { admin, client } = await signInAt("aal2");
    await addFactor(backend, admin, "verified");
    const codes = await createCodes(client);
    expect(new Set(codes).size).toBe(10);
    // 128 bits: a plain digest of fewer than 112 could be guessed (ASVS 6.5.2).
    for (const code of codes) expect(code).toMatch(/^[0-9a-f]{32}$/);
    const [first = ""] = codes;
    expect(await use(await signInAdmin(backend), first)).toBe("wrong");
    await openSession(admin);
    expect(await use(admin, first, sessionOf(admin))).toBe("right");
    expect(await standingOf(client)).toBe("admin");
    // An attacker with the password had a session open that waited for a code. It must be gone.
    expect(await backend.sql("select id, aal from auth.sessions where user_id = $1", [admin.id])).toEqual([
      { id: sessionOf(admin), aal: "aal1" },
    ]);
    await addFactor(backend, admin, "verified");
    expect(await standingOf(client)).toBe("challenge");
    expect(await use(admin, first)).toBe("wrong");
    expect(await call(client, "count_recovery_codes")).toBe(9);
  });

  it("issues codes, which end earlier ones, only to an admin who has used a second factor", async () => {
    const { admin, client } = await signInAt("aal2");
    const [old = ""] = await createCodes(client);
    await createCodes(client);
    expect(await use(admin, old)).toBe("wrong");
    expect(await call((await signInAt("aal1")).client, "create_recovery_codes")).toBe("42501");
  });

  it("allows five tries per session in 15 minutes, right ones included", async () => {
    const { admin, client } = await signInAt("aal2");
    const [code = "", next = ""] = await createCodes(client);
    const thief = randomUUID();
    for (let i = 0; i < 5; i++) expect(await use(admin, "0".repeat(20), thief)).toBe("wrong");
    expect(await use(admin, code, thief)).toBe("wait");
    expect(await use(admin, next, sessionOf(admin)), "in the owner's own session").toBe("right");
    const over = "attempted_at = now() - interval '16 minutes'";
    await setRows(backend, "private.second_factor_attempts", admin.id, over, "user_id");
    expect(await use(admin, code, thief)).toBe("right");
  });
});

describe("required second factor", () => {
  beforeEach(() => requireFactor(true));

  it("counts factors from before the rule, and later ones only with a setup code", async () => {
    await requireFactor(false);
    const { admin: early, client: earlyClient } = await signInAt("aal2");
    await verifyFactor(early);
    await requireFactor(true);
    expect(await standingOf(earlyClient)).toBe("admin");

    const { admin, client } = await signInAt("aal1", "aal2");
    expect(await standingOf(client)).toBe("setup");
    await requireFactor(true);
    expect(await standingOf(client)).toBe("setup");
    expect(await enterSetupCode(admin, "0".repeat(30))).toBe("wrong");
    expect(await standingOf(client)).toBe("setup");
    expect(await enterSetupCode(admin)).toBe("right");
    expect(await standingOf(client)).toBe("enrol");
    await verifyFactor(admin);
    expect(await standingOf(client)).toBe("admin");
    await backend.sql("select private.reset_second_factor($1) as ended", [admin.id]);
    expect(await standingOf((await openSession(admin)).client), "after the operator's reset").toBe("setup");
  });

  it("rejects a factor set up with the password alone", async () => {
    const { admin } = await signInAt("aal1");
    await expect(verifyFactor(admin)).rejects.toThrow("a setup code is needed first");
    // A factor that the thief has planted anyway counts for nothing.
    await addFactor(backend, admin, "verified");
    await setRows(backend, "auth.sessions", sessionOf(admin), `aal = 'aal2', factor_id = '${randomUUID()}'`);
    expect(await standingOf(clientAt(admin, "aal2"))).toBe("setup");
  });

  it("permits one setup within 15 minutes, in the session that entered the setup code", async () => {
    const { admin, client } = await signInAt("aal1", "aal2");
    const early = await openSession(admin);
    expect(await enterSetupCode(admin)).toBe("right");
    const later = await openSession(admin);
    expect(await standingOf(early.client), "ended").toBe("none");
    expect(await standingOf(later.client)).toBe("setup");
    expect(await standingOf(client)).toBe("enrol");
    await setRows(backend, "private.factor_permits", admin.id, "expires_at = now()", "user_id");
    expect(await standingOf(client)).toBe("setup");

    expect(await enterSetupCode(admin)).toBe("right");
    await verifyFactor(admin);
    const codes = await createCodes(client);
    expect(await use(admin, codes[0]!, sessionOf(admin))).toBe("right");
    const thief = await openSession(admin);
    expect(await standingOf(thief.client), "with the password alone").toBe("setup");
    expect(await standingOf(client)).toBe("enrol");
    await verifyFactor(admin);
    expect(await standingOf(client)).toBe("admin");
    await backend.sql("delete from auth.mfa_factors where user_id = $1 returning id", [admin.id]);
    expect(await standingOf(client), "the permission is used up").toBe("setup");
  });

  it("accepts no setup code while a factor exists, and lets only a session that has used it replace it", async () => {
    const { admin, client } = await signInAt("aal1", "aal2");
    await enterSetupCode(admin);
    await verifyFactor(admin);
    const thief = await openSession(admin);
    expect(await enterSetupCode(admin, undefined, thief.id)).toBe("has-factor");
    expect(await standingOf(thief.client)).toBe("challenge");
    expect(await call(thief.client, "begin_factor_removal")).toBe("42501");
    expect(await standingOf(client)).toBe("admin");
    await client.rpc("begin_factor_removal").throwOnError();
    await backend.sql("delete from auth.mfa_factors where user_id = $1 returning id", [admin.id]);
    expect(await standingOf(client)).toBe("enrol");
  });

  it("accepts a 128-bit setup code once, for 72 hours, and stores only its digest", async () => {
    const [{ admin }, { admin: other }] = [await signInAt("aal1"), await signInAt("aal1")];
    const [old, code] = [await makeSetupCode(admin), await makeSetupCode(admin)];
    expect(code).toMatch(/^[0-9a-f]{32}$/);
    expect(JSON.stringify(await backend.sql("select * from private.setup_codes"))).not.toContain(code);
    // A thief who has the password has begun to enroll a factor.
    await addFactor(backend, admin, "unverified");
    expect(await enterSetupCode(other, code), "somebody else's").toBe("wrong");
    expect(await enterSetupCode(admin, old), "an earlier one").toBe("wrong");
    expect(await enterSetupCode(admin, code)).toBe("right");
    expect(await countRows(backend, "auth.mfa_factors", admin.id, "user_id")).toBe(0);
    expect(await enterSetupCode(admin, code), "again").toBe("wrong");
    const late = await makeSetupCode(admin);
    await setRows(backend, "private.setup_codes", admin.id, "expires_at = expires_at - interval '72 hours'", "user_id");
    expect(await enterSetupCode(admin, late)).toBe("wrong");
    await makeSetupCode(other);
    expect(await countRows(backend, "private.setup_codes", admin.id, "user_id")).toBe(0);
    const events = "select action from public.admin_events where person = $1 and action = 'setup-code-made'";
    expect(await backend.sql(events, [admin.email])).toHaveLength(3);
    await expect(makeSetupCode({ ...admin, email: "nobody@example.com" })).rejects.toThrow("no such account");
  });

  it("rejects setup codes without the role, or after five tries in the session", async () => {
    const person = await backend.signIn();
    expect(await enterSetupCode(person)).toBe("wrong");
    const { admin } = await signInAt("aal1");
    const code = await makeSetupCode(admin);
    for (let count = 0; count < 5; count++) expect(await enterSetupCode(admin, "0")).toBe("wrong");
    expect(await enterSetupCode(admin, code)).toBe("wait");
    expect(await enterSetupCode(admin, code, (await openSession(admin)).id)).toBe("right");
  });
});
