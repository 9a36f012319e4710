import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { digestOfToken } from "#supabase/functions/_shared/secret-token.ts";
import { useBackend } from "../support/backends.ts";
import { receive } from "../support/examples.ts";
import { startHostedBackend } from "../support/hosted-backend.ts";
import { readClaims } from "../support/postgres/json-web-token.ts";
import { type Person, signInAdmin } from "../support/test-backend.ts";

type Level = "aal1" | "aal2" | undefined;
type Client = SupabaseClient & { token: string };

const backend = useBackend(() => startHostedBackend());
beforeAll(async () => void (await receive(backend.service).throwOnError()));

/** Signs in an admin whose session has this level. The token states the same level unless `token` differs. */
async function signInAt(session: Level, token: Level = session): Promise<{ admin: Person; client: Client }> {
  const admin = await signInAdmin(backend);
  await backend.sql("update auth.sessions set aal = $2 where user_id = $1 returning id", [admin.id, session ?? null]);
  return { admin, client: clientAt(admin, token) };
}

function clientAt(admin: Person, aal: Level, claims: Record<string, unknown> = {}): Client {
  const token = backend.rest.signToken({ ...readClaims(admin.token), aal, ...claims });
  return Object.assign(backend.client(token), { token });
}

function addFactor({ id }: Person, status: "unverified" | "verified") {
  const insert = "insert into auth.mfa_factors (id, user_id, status) values ($1, $2, $3) returning id";
  return backend.sql(insert, [randomUUID(), id, status]);
}

/** Returns the caller's standing, and expects functions of the admin area to agree with it. */
async function standingOf(client: Client): Promise<string> {
  const standing: unknown = (await client.rpc("admin_standing").throwOnError()).data;
  const isAdmin = standing === "admin";
  expect((await client.rpc("read_inbox")).error?.code).toBe(isAdmin ? undefined : "42501");
  return String(standing);
}

async function createCodes(client: SupabaseClient): Promise<string[]> {
  const { data } = await client.rpc("create_recovery_codes").throwOnError();
  return data as string[];
}

async function use(person: string, code: string, session: string = randomUUID()): Promise<unknown> {
  const call = { person, code_digest: await digestOfToken(code), own_session: session };
  return (await backend.service.rpc("use_recovery_code", call).throwOnError()).data;
}
const requireFactor = (wanted: boolean) => backend.service.rpc("require_second_factor", { wanted }).throwOnError();
const sessionOf = ({ token }: Person): string => String(readClaims(token)["session_id"]);

async function makeSetupCode({ email }: Person): Promise<string> {
  const [made] = await backend.sql<{ code: string }>("select private.make_setup_code($1) as code", [email]);
  return made?.code.replaceAll("-", "") ?? "";
}

async function enterSetupCode(person: Person, code: string, own_session = sessionOf(person)): Promise<unknown> {
  const call = { person: person.id, code_digest: await digestOfToken(code), own_session };
  return (await backend.service.rpc("use_setup_code", call).throwOnError()).data;
}

/** Opens another session of the person, authenticated by the password alone. */
async function openSession(person: Person): Promise<{ id: string; client: Client }> {
  const id = randomUUID();
  await backend.sql("insert into auth.sessions (id, user_id, aal) values ($1, $2, 'aal1') returning id", [
    id,
    person.id,
  ]);
  return { id, client: clientAt(person, "aal1", { session_id: id }) };
}

/** Verifies a factor as the authentication service does with its first code. */
async function verifyFactor(person: Person, session = sessionOf(person)): Promise<void> {
  const factor = randomUUID();
  const insert = "insert into auth.mfa_factors (id, user_id, status) values ($1, $2, 'unverified') returning id";
  await backend.sql(insert, [factor, person.id]);
  await backend.sql("update auth.mfa_factors set status = 'verified' where id = $1 returning id", [factor]);
  const reach = "update auth.sessions set aal = 'aal2', factor_id = $2 where id = $1 returning id";
  await backend.sql(reach, [session, factor]);
}

describe("optional second factor", () => {
  it("challenges no admin without a verified factor", async () => {
    const { admin, client } = await signInAt("aal1");
    expect(await standingOf(client)).toBe("admin");
    await addFactor(admin, "unverified");
    expect(await standingOf(client)).toBe("admin");
  });

  it.each<[Level, Level, string]>([
    ["aal1", "aal1", "challenge"],
    [undefined, undefined, "challenge"],
    ["aal2", "aal1", "challenge"],
    // The token predates the removal of one factor and the setup of another.
    ["aal1", "aal2", "challenge"],
    ["aal2", "aal2", "admin"],
  ])("puts a session at %s with a token at %s in the standing %s", async (session, token, expected) => {
    const { admin, client } = await signInAt(session, token);
    await addFactor(admin, "verified");
    expect(await standingOf(client)).toBe(expected);
  });

  it("gives no admin standing to a person without the role", async () => {
    const person = await backend.signIn();
    expect(await standingOf(clientAt(person, "aal2"))).toBe("none");
  });
});

describe("recovery codes", () => {
  it("issues codes only to admins who have used a second factor", async () => {
    const { client } = await signInAt("aal1");
    expect((await client.rpc("create_recovery_codes")).error?.code).toBe("42501");
    const person = await backend.signIn();
    expect((await clientAt(person, "aal2").rpc("create_recovery_codes")).error?.code).toBe("42501");
  });

  it("removes the factor once per code, and only for the owner of the code", async () => {
    const { admin, client } = await signInAt("aal2");
    await addFactor(admin, "verified");
    const codes = await createCodes(client);
    expect(new Set(codes).size).toBe(10);
    // 120 bits: a plain digest of fewer than 112 could be guessed (ASVS 6.5.2).
    for (const code of codes) expect(code).toMatch(/^[0-9a-f]{30}$/);
    expect((await signInAt("aal2")).admin.id).not.toBe(admin.id);
    const [first = ""] = codes;
    expect(await use((await signInAdmin(backend)).id, first)).toBe("wrong");
    const other = await backend.sql(
      "insert into auth.sessions (id, user_id, aal) values ($2, $1, 'aal1') returning id",
      [admin.id, randomUUID()],
    );
    expect(other).toHaveLength(1);
    expect(await use(admin.id, first, sessionOf(admin))).toBe("right");
    expect(await standingOf(client)).toBe("admin");
    // An attacker with the password had a session open that waited for a code. It must be gone.
    expect(await backend.sql("select id, aal from auth.sessions where user_id = $1", [admin.id])).toEqual([
      { id: sessionOf(admin), aal: "aal1" },
    ]);
    await addFactor(admin, "verified");
    expect(await standingOf(client)).toBe("challenge");
    expect(await use(admin.id, first)).toBe("wrong");
    expect((await client.rpc("count_recovery_codes").throwOnError()).data).toBe(9);
  });

  it("invalidates old codes when new ones are created", async () => {
    const { admin, client } = await signInAt("aal2");
    const [old = ""] = await createCodes(client);
    await createCodes(client);
    expect(await use(admin.id, old)).toBe("wrong");
  });

  it("allows five tries per session in 15 minutes, right ones included", async () => {
    const { admin, client } = await signInAt("aal2");
    const [code = "", next = ""] = await createCodes(client);
    const thief = randomUUID();
    for (let i = 0; i < 5; i++) expect(await use(admin.id, "0".repeat(20), thief)).toBe("wrong");
    expect(await use(admin.id, code, thief)).toBe("wait");
    expect(await use(admin.id, next, sessionOf(admin)), "in the owner's own session").toBe("right");
    await backend.sql(
      "update private.second_factor_attempts set attempted_at = now() - interval '16 minutes' returning 1",
    );
    expect(await use(admin.id, code, thief)).toBe("right");
  });
});

describe("required second factor", () => {
  beforeEach(() => requireFactor(false));
  afterAll(() => requireFactor(false));

  it("counts factors from before the rule, and later ones only with a setup code", async () => {
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
    expect(await enterSetupCode(admin, await makeSetupCode(admin))).toBe("right");
    expect(await standingOf(client)).toBe("enrol");
    await verifyFactor(admin);
    expect(await standingOf(client)).toBe("admin");
  });

  it("rejects a factor set up with the password alone", async () => {
    await requireFactor(true);
    const { admin } = await signInAt("aal1");
    await expect(verifyFactor(admin)).rejects.toThrow("a setup code is needed first");
    // A factor that the thief has planted anyway counts for nothing.
    await addFactor(admin, "verified");
    const planted = "update auth.sessions set aal = 'aal2', factor_id = $2 where id = $1 returning id";
    await backend.sql(planted, [sessionOf(admin), randomUUID()]);
    expect(await standingOf(clientAt(admin, "aal2"))).toBe("setup");
  });

  it("permits one setup within 15 minutes, in the session that entered the setup code", async () => {
    await requireFactor(true);
    const { admin, client } = await signInAt("aal1", "aal2");
    const early = await openSession(admin);
    expect(await enterSetupCode(admin, await makeSetupCode(admin))).toBe("right");
    const later = await openSession(admin);
    expect(await standingOf(early.client), "ended").toBe("none");
    expect(await standingOf(later.client)).toBe("setup");
    expect(await standingOf(client)).toBe("enrol");
    const age = "update private.factor_permits set expires_at = now() where user_id = $1 returning 1";
    await backend.sql(age, [admin.id]);
    expect(await standingOf(client)).toBe("setup");

    expect(await enterSetupCode(admin, await makeSetupCode(admin))).toBe("right");
    await verifyFactor(admin);
    const codes = await createCodes(client);
    expect(await use(admin.id, codes[0]!, sessionOf(admin))).toBe("right");
    const thief = await openSession(admin);
    expect(await standingOf(thief.client), "with the password alone").toBe("setup");
    expect(await standingOf(client)).toBe("enrol");
    await verifyFactor(admin);
    expect(await standingOf(client)).toBe("admin");
    await backend.sql("delete from auth.mfa_factors where user_id = $1 returning id", [admin.id]);
    expect(await standingOf(client), "the permission is used up").toBe("setup");
  });

  it("lets an admin who has used the factor replace it", async () => {
    await requireFactor(true);
    const { admin, client } = await signInAt("aal1", "aal2");
    await enterSetupCode(admin, await makeSetupCode(admin));
    await verifyFactor(admin);
    await client.rpc("begin_factor_removal").throwOnError();
    await backend.sql("delete from auth.mfa_factors where user_id = $1 returning id", [admin.id]);
    expect(await standingOf(client)).toBe("enrol");
    const weak = await openSession(admin);
    expect((await weak.client.rpc("begin_factor_removal")).error?.code).toBe("42501");
  });

  it("rejects a setup code while a factor exists", async () => {
    await requireFactor(true);
    const { admin, client } = await signInAt("aal1", "aal2");
    await enterSetupCode(admin, await makeSetupCode(admin));
    await verifyFactor(admin);
    const thief = await openSession(admin);
    expect(await enterSetupCode(admin, await makeSetupCode(admin), thief.id)).toBe("has-factor");
    expect(await standingOf(thief.client)).toBe("challenge");
    expect(await standingOf(client)).toBe("admin");
  });

  it("accepts a 120-bit setup code once, for 72 hours, and stores only its digest", async () => {
    await requireFactor(true);
    const [{ admin }, { admin: other }] = [await signInAt("aal1"), await signInAt("aal1")];
    const [old, code] = [await makeSetupCode(admin), await makeSetupCode(admin)];
    expect(code).toMatch(/^[0-9a-f]{30}$/);
    expect(JSON.stringify(await backend.sql("select * from private.setup_codes"))).not.toContain(code);
    // A thief who has the password has begun to enroll a factor.
    await addFactor(admin, "unverified");
    expect(await enterSetupCode(other, code), "somebody else's").toBe("wrong");
    expect(await enterSetupCode(admin, old), "an earlier one").toBe("wrong");
    expect(await enterSetupCode(admin, code)).toBe("right");
    expect(await backend.sql("select id from auth.mfa_factors where user_id = $1", [admin.id])).toEqual([]);
    expect(await enterSetupCode(admin, code), "again").toBe("wrong");
    const late = await makeSetupCode(admin);
    const age = "update private.setup_codes set expires_at = expires_at - interval '72 hours' returning 1";
    await backend.sql(age);
    expect(await enterSetupCode(admin, late)).toBe("wrong");
    const events = "select action from public.admin_events where person = $1 and action = 'setup-code-made'";
    expect(await backend.sql(events, [admin.email])).toHaveLength(3);
    await expect(makeSetupCode({ ...admin, email: "nobody@example.com" })).rejects.toThrow("no such account");
  });

  it("rejects setup codes without the role, or after five tries in the session", async () => {
    const person = await backend.signIn();
    expect(await enterSetupCode(person, await makeSetupCode(person))).toBe("wrong");
    const { admin } = await signInAt("aal1");
    const code = await makeSetupCode(admin);
    for (let count = 0; count < 5; count++) expect(await enterSetupCode(admin, "0")).toBe("wrong");
    expect(await enterSetupCode(admin, code)).toBe("wait");
    expect(await enterSetupCode(admin, code, (await openSession(admin)).id)).toBe("right");
  });
});

it("lets only the secret key use codes and set the rule", async () => {
  const { client } = await signInAt("aal2");
  for (const [name, parameters] of [
    ["use_recovery_code", { person: randomUUID(), code_digest: "", own_session: randomUUID() }],
    ["use_setup_code", { person: randomUUID(), code_digest: "", own_session: randomUUID() }],
    ["require_second_factor", { wanted: true }],
  ] as const) {
    expect((await client.rpc(name, parameters)).error?.code, name).toBe("42501");
    expect((await backend.client().rpc(name, parameters)).error?.code, name).toBe("42501");
  }
});
