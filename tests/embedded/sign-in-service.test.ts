import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { Secret, TOTP } from "otpauth";
import { describe, expect, it } from "vitest";
import { readClaims } from "../database/support/postgres/json-web-token.ts";
import { testAdmin } from "../support/test-admin.ts";
import { awaitStepWithTime } from "../support/totp-step.ts";
import { useTestBackend } from "./support/start-backend.ts";

const backend = useTestBackend();

const password = "a phrase for the first time";
const admin = () => backend.service.auth.admin;
const signIn = (email: string, chosen: string) => backend.client().auth.signInWithPassword({ email, password: chosen });

/** Returns status and code of a refusal. */
async function code(result: Promise<{ error: { code?: string | undefined; status?: number | undefined } | null }>) {
  const { error } = await result;
  return [error?.status, error?.code];
}

it("rejects sign-up with either key, and passwords of fewer than twelve characters", async () => {
  const { auth } = backend.client();
  const { email } = testAdmin;
  for (const client of [auth, backend.service.auth])
    expect((await client.signUp({ email: "new@example.org", password })).error?.code).toBe("signup_disabled");
  expect((await auth.signInWithOtp({ email: "new@example.org" })).error?.code).toBe("otp_disabled");
  expect((await auth.resetPasswordForEmail(email)).error?.code).toBe("otp_disabled");
  for (const endpoint of ["verify", "invite", "authorize", "otp/", "%6ftp"]) {
    const body = { email: "new@example.org", create_user: true };
    expect((await backend.post(`/auth/v1/${endpoint}`, body, { apikey: backend.secretKey })).status).toBe(422);
  }
  expect(await backend.sql("select email from auth.users")).toEqual([{ email }]);
  await auth.signInWithPassword(testAdmin);
  expect((await auth.updateUser({ password: "only-11-chr" })).error?.code).toBe("weak_password");
});

it("spends a hash on an unknown address, as on a known one", async () => {
  const spent: number[] = [];
  for (let tries = 0; tries < 5; tries++) {
    const before = process.cpuUsage();
    const { error } = await signIn(`nobody${tries}@example.org`, "not the passphrase");
    expect(error?.code).toBe("invalid_credentials");
    const { user, system } = process.cpuUsage(before);
    spent.push((user + system) / 1_000);
  }
  // Milliseconds of processor time: bcrypt at cost 10 takes tens, everything else a few.
  expect(Math.min(...spent)).toBeGreaterThan(20);
});

it("responds 400 to a password, an address or a refresh token that is no text", async () => {
  const { email } = testAdmin;
  const texts = [5, null, ["x"], { a: 1 }, "x\0"];
  const bodies = [
    ...texts.flatMap((value) => [
      ["password", { email, password: value }],
      ["password", { email: value, password: "x" }],
      ["refresh_token", { refresh_token: value }],
    ]),
    ["password", null],
    ["refresh_token", []],
  ];
  const post = async (grant: unknown, sent: unknown, init?: RequestInit) =>
    (await backend.post(`/auth/v1/token?grant_type=${String(grant)}`, sent, {}, init)).status;
  for (const [grant, sent] of bodies) expect([sent, await post(grant, sent)]).toEqual([sent, 400]);
  for (const body of ["no JSON", ""]) expect(await post("refresh_token", null, { body })).toBe(400);
  const authorization = `Bearer ${(await backend.signIn()).access_token}`;
  const change = await backend.post("/auth/v1/user", { password: null }, { authorization }, { method: "PUT" });
  expect(change.status).toBe(400);
});

it("creates an account as GoTrue does, and ends its sessions when it sets a password", async () => {
  const made = await admin().createUser({ email: "New@Example.org", password, email_confirm: true });
  expect(made.data.user).toMatchObject({
    email: "new@example.org",
    aud: "authenticated",
    role: "authenticated",
    app_metadata: { provider: "email", providers: ["email"] },
    user_metadata: { email_verified: true },
    email_confirmed_at: expect.stringMatching(/^20/),
  });
  expect(JSON.stringify(made.data)).not.toMatch(/password|\$2/);
  expect((await signIn("new@example.org", password)).error).toBeNull();

  const changed = await admin().updateUserById(made.data.user!.id, {
    password: "another test phrase",
    email_confirm: true,
  });
  expect(changed.data.user?.id).toBe(made.data.user?.id);
  const sessions = "select id from auth.sessions where user_id = $1";
  expect(await backend.sql(sessions, [made.data.user!.id])).toEqual([]);
  expect((await signIn("new@example.org", password)).error?.code).toBe("invalid_credentials");
  expect((await signIn("new@example.org", "another test phrase")).error).toBeNull();
});

it("rejects as GoTrue does an address in use, an unknown id, a weak password and unsupported fields", async () => {
  const taken = admin().createUser({ email: testAdmin.email, password, email_confirm: true });
  expect(await code(taken)).toEqual([422, "email_exists"]);
  const weak = admin().createUser({ email: "weak@example.org", password: "password1234", email_confirm: true });
  expect(await code(weak)).toEqual([422, "weak_password"]);
  const rights = { email: "r@example.org", password, email_confirm: true, app_metadata: { role: "admin" } };
  expect(await code(admin().createUser(rights))).toEqual([400, "validation_failed"]);
  expect(await code(admin().updateUserById(randomUUID(), { password }))).toEqual([404, "user_not_found"]);
  expect(await code(admin().updateUserById(randomUUID(), { email: "x@example.org" }))).toEqual([
    400,
    "validation_failed",
  ]);
});

it("refuses to manage accounts without the secret key, even to an admin's session", async () => {
  const { access_token, user } = await backend.signIn();
  const { publishableKey, secretKey } = backend;
  const callers: [status: number, headers: Record<string, string>][] = [
    [401, { apikey: "" }],
    [401, { apikey: `${secretKey}x` }],
    [404, {}],
    [404, { apikey: secretKey, authorization: `Bearer ${access_token}` }],
    [404, { authorization: `Bearer ${publishableKey}` }],
  ];
  const body = { email: "x@example.org", password, email_confirm: true };
  for (const [status, headers] of callers) {
    expect((await backend.post("/auth/v1/admin/users", body, headers)).status).toBe(status);
    const change = await backend.post(`/auth/v1/admin/users/${user.id}`, body, headers, { method: "PUT" });
    expect(change.status).toBe(status);
  }
  const apikey = secretKey;
  const removal = await backend.post(`/auth/v1/admin/users/${user.id}`, {}, { apikey }, { method: "DELETE" });
  expect(removal.status).toBe(404);
  expect(await backend.sql("select 1 from auth.users where email = 'x@example.org'")).toEqual([]);
});

type Auth = SupabaseClient["auth"];

/** Signs in a client that keeps its session in memory, as a browser does in cookies. */
async function openSession(credentials = testAdmin): Promise<Auth> {
  const { auth } = backend.client();
  const { error } = await auth.signInWithPassword(credentials);
  if (error) throw error;
  return auth;
}

async function enroll({ mfa }: Auth) {
  const { data, error } = await mfa.enroll({ factorType: "totp" });
  if (error) throw error;
  return { ...data.totp, factorId: data.id };
}

async function levelsOf({ mfa }: Auth) {
  const { data } = await mfa.getAuthenticatorAssuranceLevel();
  return [data?.currentLevel, data?.nextLevel];
}

/** @returns the error of the code, or null */
const enter = async ({ mfa }: Auth, factorId: string, entered: string) =>
  (await mfa.challengeAndVerify({ factorId, code: entered })).error;

/** @param steps time steps of 30 seconds from now */
function codeFor(secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
}

describe("a second factor", () => {
  it("is enrolled, required, protected against replay, and removed", async () => {
    const first = await openSession();
    const other = await openSession();
    expect(await levelsOf(first)).toEqual(["aal1", "aal1"]);
    const { secret, uri, qr_code, factorId } = await enroll(first);
    expect(uri).toContain("localhost%3A3000");
    expect(qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg/);
    // The secret is not stored in plain text.
    const [stored] = await backend.sql<{ secret: string }>("select secret from auth.mfa_factors");
    expect(stored?.secret).not.toContain(secret);
    expect(await levelsOf(first)).toEqual(["aal1", "aal1"]);

    expect((await enter(first, factorId, "000000"))?.code).toBe("mfa_verification_failed");
    await awaitStepWithTime();
    expect((await enter(first, factorId, codeFor(secret, 1)))?.code, "the next step").toBe("mfa_verification_failed");
    const firstCode = codeFor(secret, -1);
    expect(await enter(first, factorId, firstCode)).toBeNull();
    expect(await levelsOf(first)).toEqual(["aal2", "aal2"]);
    const claims = readClaims((await first.getSession()).data.session!.access_token) as { amr: { method: string }[] };
    expect(claims.amr.map(({ method }) => method)).toEqual(["totp", "password"]);
    // The other session used the password alone.
    expect((await other.getUser()).error?.name).toBe("AuthSessionMissingError");

    const second = await openSession();
    expect(await levelsOf(second)).toEqual(["aal1", "aal2"]);
    const factors = (await second.mfa.listFactors()).data;
    expect(factors?.totp.map(({ id, status }) => [id, status])).toEqual([[factorId, "verified"]]);
    for (const { error } of [
      await second.mfa.enroll({ factorType: "totp" }),
      await second.mfa.unenroll({ factorId }),
      await second.updateUser({ password: "another passphrase of theirs" }),
    ])
      expect(error?.code).toBe("insufficient_aal");
    expect((await second.updateUser({ data: { theme: "dark" } })).error).toBeNull();
    expect((await enter(second, factorId, firstCode))?.code, "a used code").toBe("mfa_verification_failed");
    expect(await enter(second, factorId, codeFor(secret))).toBeNull();
    await second.refreshSession();
    expect(await levelsOf(second), "after a refresh").toEqual(["aal2", "aal2"]);

    expect((await second.mfa.unenroll({ factorId })).error).toBeNull();
    await second.refreshSession();
    expect(await levelsOf(second)).toEqual(["aal1", "aal1"]);
  });

  it("blocks a session after five wrong codes, but no other session", async () => {
    const client = await openSession();
    const { factorId, secret } = await enroll(client);
    const statuses = [];
    for (let count = 0; count < 6; count++) statuses.push((await enter(client, factorId, "000000"))?.status);
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
    expect((await enter(client, factorId, codeFor(secret)))?.status).toBe(429);
    expect((await enter(await openSession(), factorId, "000000"))?.status).toBe(422);
    await backend.sql("update embedded.wrong_codes set entered_at = now() - interval '16 minutes'");
    expect(await enter(client, factorId, codeFor(secret))).toBeNull();
    await backend.sql("delete from auth.mfa_factors");
  });

  it("accepts a code only for its challenge, within five minutes, and for the caller's own factor", async () => {
    const client = await openSession();
    const { factorId, secret } = await enroll(client);
    const challengeId = (await client.mfa.challenge({ factorId })).data?.id ?? "";
    await backend.sql("update auth.mfa_challenges set created_at = now() - interval '6 minutes'");
    const late = await client.mfa.verify({ factorId, challengeId, code: codeFor(secret) });
    expect(late.error?.code).toBe("mfa_challenge_expired");
    const none = await client.mfa.verify({ factorId, challengeId: factorId, code: codeFor(secret) });
    expect(none.error?.status).toBe(404);
    const stranger = { email: "stranger@example.com", password: "a stranger's passphrase" };
    await backend.service.auth.admin.createUser({ ...stranger, email_confirm: true });
    expect((await (await openSession(stranger)).mfa.challenge({ factorId })).error?.status).toBe(404);
  });
});
