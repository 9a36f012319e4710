import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientOf } from "./support/client.ts";
import { startTestBackend, type TestBackend } from "./support/start-backend.ts";
import { testAdmin } from "../support/test-admin.ts";

const password = "a phrase for the first time";

describe("accounts by the admin API", () => {
  let backend: TestBackend;
  beforeAll(async () => void (backend = await startTestBackend()));
  afterAll(() => backend.remove());

  const admin = (key = backend.secretKey) => clientOf(backend, key).auth.admin;
  const signIn = (email: string, chosen: string) =>
    clientOf(backend, backend.publishableKey).auth.signInWithPassword({ email, password: chosen });

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

  it("are refused without the secret key, even to an admin's session", async () => {
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
        expect(response.status).toBe(
          headers.apikey === backend.publishableKey || "authorization" in headers ? 404 : 401,
        );
      }
    }
    const other = { method: "DELETE", headers: { apikey: backend.secretKey } };
    expect((await backend.fetch(`${backend.url}/auth/v1/admin/users/${data.user!.id}`, other)).status).toBe(404);
    expect(await backend.sql("select 1 from auth.users where email = 'x@example.org'")).toEqual([]);
  });
});

/** Returns status and code of a refusal. */
async function code(result: Promise<{ error: { code?: string | undefined; status?: number | undefined } | null }>) {
  const { error } = await result;
  return [error?.status, error?.code];
}
