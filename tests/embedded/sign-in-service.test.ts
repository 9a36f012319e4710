import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testAdmin } from "../support/test-admin.ts";
import { clientOf } from "./support/client.ts";
import { startTestBackend, type TestBackend } from "./support/start-backend.ts";

let backend: TestBackend;
beforeAll(async () => void (backend = await startTestBackend()));
afterAll(() => backend.remove());

const password = "a phrase for the first time";
const anonymous = () => clientOf(backend, backend.publishableKey);
const admin = () => clientOf(backend, backend.secretKey).auth.admin;
const signIn = (email: string, chosen: string) => anonymous().auth.signInWithPassword({ email, password: chosen });

/** Returns status and code of a refusal. */
async function code(result: Promise<{ error: { code?: string | undefined; status?: number | undefined } | null }>) {
  const { error } = await result;
  return [error?.status, error?.code];
}

it("rejects sign-up with either key, and passwords of fewer than twelve characters", async () => {
  const anon = anonymous();
  const credentials = { email: "new@example.org", password: "long-enough-password" };
  for (const client of [anon, clientOf(backend, backend.secretKey)]) {
    expect((await client.auth.signUp(credentials)).error?.code).toBe("signup_disabled");
  }
  const { email } = credentials;
  expect((await anon.auth.signInWithOtp({ email })).error?.code).toBe("otp_disabled");
  expect((await anon.auth.resetPasswordForEmail(testAdmin.email)).error?.code).toBe("otp_disabled");
  for (const endpoint of [
    "otp",
    "magiclink",
    "recover",
    "resend",
    "verify",
    "invite",
    "authorize",
    "OTP",
    "otp/",
    "%6ftp",
  ]) {
    const headers = { apikey: backend.secretKey, "content-type": "application/json" };
    const body = JSON.stringify({ email, create_user: true });
    const response = await backend.fetch(`${backend.url}/auth/v1/${endpoint}`, { method: "POST", headers, body });
    expect(response.status).toBe(422);
  }
  expect(await backend.sql("select email from auth.users")).toEqual([{ email: testAdmin.email }]);
  await anon.auth.signInWithPassword(testAdmin);
  expect((await anon.auth.updateUser({ password: "only-11-chr" })).error?.code).toBe("weak_password");
});

it("spends a hash on an unknown address, as on a known one", async () => {
  const anon = anonymous();
  const spent: number[] = [];
  for (let tries = 0; tries < 5; tries++) {
    const before = process.cpuUsage();
    const credentials = { email: `nobody${tries}@example.org`, password: "not the passphrase" };
    expect((await anon.auth.signInWithPassword(credentials)).error?.code).toBe("invalid_credentials");
    const { user, system } = process.cpuUsage(before);
    spent.push((user + system) / 1_000);
  }
  // Milliseconds of processor time: bcrypt at cost 10 takes tens, everything else a few.
  expect(Math.min(...spent)).toBeGreaterThan(20);
});

it("responds 400 to a password, an address or a refresh token that is no text", async () => {
  const headers = { apikey: backend.publishableKey, "content-type": "application/json" };
  const { email } = testAdmin;
  const texts = [5, null, ["x"], { a: 1 }, "x\0"];
  const bodies = [
    ...texts.flatMap((value) => [
      ["password", { email, password: value }],
      ["password", { email: value, password: "x" }],
      ["refresh_token", { refresh_token: value }],
    ]),
    ["password", null],
  ];
  for (const [grant, sent] of bodies) {
    const address = `${backend.url}/auth/v1/token?grant_type=${String(grant)}`;
    const response = await backend.fetch(address, { method: "POST", headers, body: JSON.stringify(sent) });
    expect([sent, response.status]).toEqual([sent, 400]);
  }
  const { data } = await signIn(email, testAdmin.password);
  const change = await backend.fetch(`${backend.url}/auth/v1/user`, {
    method: "PUT",
    headers: { ...headers, authorization: `Bearer ${data.session?.access_token}` },
    body: JSON.stringify({ password: null }),
  });
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
  const { data } = await signIn(testAdmin.email, testAdmin.password);
  const callers: Record<string, string>[] = [
    {},
    { apikey: backend.publishableKey },
    { apikey: backend.secretKey, authorization: `Bearer ${data.session!.access_token}` },
    { apikey: backend.publishableKey, authorization: `Bearer ${backend.publishableKey}` },
    { apikey: `${backend.secretKey}x` },
  ];
  for (const headers of callers) {
    for (const [method, path] of [
      ["POST", "users"],
      ["PUT", `users/${data.user!.id}`],
    ] as const) {
      const body = JSON.stringify({ email: "x@example.org", password, email_confirm: true });
      const address = `${backend.url}/auth/v1/admin/${path}`;
      const response = await backend.fetch(address, { method, headers, body });
      expect(response.status).toBe(headers.apikey === backend.publishableKey || "authorization" in headers ? 404 : 401);
    }
  }
  const other = { method: "DELETE", headers: { apikey: backend.secretKey } };
  expect((await backend.fetch(`${backend.url}/auth/v1/admin/users/${data.user!.id}`, other)).status).toBe(404);
  expect(await backend.sql("select 1 from auth.users where email = 'x@example.org'")).toEqual([]);
});
