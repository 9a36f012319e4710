import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { testAdmin } from "../support/test-admin.ts";
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
