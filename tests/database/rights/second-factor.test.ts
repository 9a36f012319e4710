import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { receive } from "../support/examples.ts";
import { type HostedBackend, startHostedBackend } from "../support/hosted-backend.ts";
import { readClaims } from "../support/postgres/json-web-token.ts";
import { type Person, signInAdmin } from "../support/test-backend.ts";

type Level = "aal1" | "aal2" | undefined;

let backend: HostedBackend;
beforeAll(async () => {
  backend = await startHostedBackend();
  await receive(backend.service).throwOnError();
});
afterAll(() => backend?.close());

/** An admin whose session is of a level; the token says the same, or what it is told to say. */
async function signInAt(session: Level, token: Level = session): Promise<{ admin: Person; client: SupabaseClient }> {
  const admin = await signInAdmin(backend);
  await backend.sql("update auth.sessions set aal = $2 where user_id = $1 returning id", [admin.id, session ?? null]);
  return { admin, client: clientAt(admin, token) };
}

function clientAt(admin: Person, aal: Level): SupabaseClient {
  return backend.client(backend.rest.signToken({ ...readClaims(admin.token), aal }));
}

function addFactor({ id }: Person, status: "unverified" | "verified") {
  const insert = "insert into auth.mfa_factors (id, user_id, status) values ($1, $2, $3) returning id";
  return backend.sql(insert, [randomUUID(), id, status]);
}

/** Where the caller stands; what they may read and call must be the same. */
async function standingOf(client: SupabaseClient): Promise<string> {
  const standing: unknown = (await client.rpc("admin_standing").throwOnError()).data;
  const isAdmin = standing === "admin";
  expect((await client.rpc("is_admin").throwOnError()).data).toBe(isAdmin);
  const { data } = await client.from("contact_submissions").select("id").throwOnError();
  expect(data).toHaveLength(isAdmin ? 1 : 0);
  expect((await client.rpc("outbox_status")).error?.code).toBe(isAdmin ? undefined : "42501");
  return String(standing);
}

async function createCodes(client: SupabaseClient): Promise<string[]> {
  const { data } = await client.rpc("create_recovery_codes").throwOnError();
  return data as string[];
}

async function use(person: string, code: string, session: string = randomUUID()): Promise<unknown> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(code));
  const code_digest = Buffer.from(bytes).toString("hex");
  return (await backend.service.rpc("use_recovery_code", { person, code_digest, own_session: session }).throwOnError())
    .data;
}
const requireFactor = (wanted: boolean) => backend.service.rpc("require_second_factor", { wanted }).throwOnError();
const sessionOf = ({ token }: Person): string => String(readClaims(token)["session_id"]);

async function enterSetupCode(person: Person, is_right: boolean): Promise<unknown> {
  const call = { person: person.id, is_right, own_session: sessionOf(person) };
  return (await backend.service.rpc("use_setup_code", call).throwOnError()).data;
}

describe("a second factor that nobody requires", () => {
  it("is not asked for while none is set up", async () => {
    const { admin, client } = await signInAt("aal1");
    expect(await standingOf(client)).toBe("admin");
    await addFactor(admin, "unverified");
    expect(await standingOf(client)).toBe("admin");
  });

  it.each<[Level, Level, string]>([
    ["aal1", "aal1", "challenge"],
    [undefined, undefined, "challenge"],
    ["aal2", "aal1", "challenge"],
    // The token was made before the factor was taken away and another one set up.
    ["aal1", "aal2", "challenge"],
    ["aal2", "aal2", "admin"],
  ])("in a session of %s with a token of %s leaves one at %s", async (session, token, expected) => {
    const { admin, client } = await signInAt(session, token);
    await addFactor(admin, "verified");
    expect(await standingOf(client)).toBe(expected);
  });

  it("makes nobody an admin who has no role", async () => {
    const person = await backend.signIn();
    expect(await standingOf(clientAt(person, "aal2"))).toBe("none");
  });
});

describe("recovery codes", () => {
  it("are for an admin who has used a second factor", async () => {
    const { client } = await signInAt("aal1");
    expect((await client.rpc("create_recovery_codes")).error?.code).toBe("42501");
    const person = await backend.signIn();
    expect((await clientAt(person, "aal2").rpc("create_recovery_codes")).error?.code).toBe("42501");
  });

  it("take the factor away, each once, and only for their owner", async () => {
    const { admin, client } = await signInAt("aal2");
    await addFactor(admin, "verified");
    const codes = await createCodes(client);
    expect(new Set(codes).size).toBe(10);
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
    // Whoever knows the password had a session open that waited for a code.
    expect(await backend.sql("select id, aal from auth.sessions where user_id = $1", [admin.id])).toEqual([
      { id: sessionOf(admin), aal: "aal1" },
    ]);
    await addFactor(admin, "verified");
    expect(await standingOf(client)).toBe("challenge");
    expect(await use(admin.id, first)).toBe("wrong");
    expect((await client.rpc("count_recovery_codes").throwOnError()).data).toBe(9);
  });

  it("end with new ones", async () => {
    const { admin, client } = await signInAt("aal2");
    const [old = ""] = await createCodes(client);
    await createCodes(client);
    expect(await use(admin.id, old)).toBe("wrong");
  });

  it("are tried five times in 15 minutes, right ones included", async () => {
    const { admin, client } = await signInAt("aal2");
    const [code = ""] = await createCodes(client);
    const tries = await Promise.all(Array.from({ length: 8 }, () => use(admin.id, "0".repeat(20))));
    expect(tries.toSorted()).toEqual([...Array(3).fill("wait"), ...Array(5).fill("wrong")]);
    expect(await use(admin.id, code)).toBe("wait");
    await backend.sql(
      "update private.second_factor_attempts set attempted_at = now() - interval '16 minutes' returning 1",
    );
    expect(await use(admin.id, code)).toBe("right");
  });
});

describe("a second factor that is required", () => {
  afterAll(() => requireFactor(false));

  it("counts where it was there before, and else where it was set up with the operator's code", async () => {
    const { admin: early, client: earlyClient } = await signInAt("aal2");
    await addFactor(early, "verified");
    await requireFactor(true);
    expect(await standingOf(earlyClient)).toBe("admin");

    const { admin, client } = await signInAt("aal2");
    expect(await standingOf(client)).toBe("setup");
    // As whoever has stolen a password would.
    await addFactor(admin, "verified");
    await requireFactor(true);
    expect(await standingOf(client)).toBe("setup");
    expect(await enterSetupCode(admin, false)).toBe("wrong");
    expect(await standingOf(client)).toBe("setup");
    expect(await enterSetupCode(admin, true)).toBe("right");
    expect(await standingOf(client)).toBe("enrol");
    await addFactor(admin, "verified");
    expect(await standingOf(client)).toBe("challenge");
    await backend.sql("update auth.sessions set aal = 'aal2' where user_id = $1 returning id", [admin.id]);
    expect(await standingOf(client)).toBe("admin");
  });

  it("is nobody's to set up who has no role, or has tried five times", async () => {
    const person = await backend.signIn();
    expect(await enterSetupCode(person, true)).toBe("wrong");
    const { admin } = await signInAt("aal1");
    for (let count = 0; count < 5; count++) expect(await enterSetupCode(admin, false)).toBe("wrong");
    expect(await enterSetupCode(admin, true)).toBe("wait");
  });
});

it("lets only the secret key use codes and make the rule", async () => {
  const { client } = await signInAt("aal2");
  for (const [name, parameters] of [
    ["use_recovery_code", { person: randomUUID(), code_digest: "", own_session: randomUUID() }],
    ["use_setup_code", { person: randomUUID(), is_right: true, own_session: randomUUID() }],
    ["require_second_factor", { wanted: true }],
  ] as const) {
    expect((await client.rpc(name, parameters)).error?.code, name).toBe("42501");
    expect((await backend.client().rpc(name, parameters)).error?.code, name).toBe("42501");
  }
});
