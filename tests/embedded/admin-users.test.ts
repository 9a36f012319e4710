import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SupabaseClient } from "@supabase/supabase-js";
import { clientOf } from "./client.ts";
import { adminEmail, adminPassword, startTestBackend, type TestBackend } from "./start-backend.ts";

const password = "correct-horse-battery";

describe("auth.admin on the embedded backend", () => {
  let backend: TestBackend;
  let admin: SupabaseClient["auth"]["admin"];

  beforeAll(async () => {
    backend = await startTestBackend();
    admin = clientOf(backend, backend.secretKey).auth.admin;
  });
  afterAll(() => backend.remove());

  const signIn = (email: string, word: string) =>
    clientOf(backend, backend.publishableKey).auth.signInWithPassword({ email, password: word });

  it("creates a confirmed user who can sign in", async () => {
    const { data, error } = await admin.createUser({
      email: " Ann@Example.org ",
      password,
      email_confirm: true,
      user_metadata: { name: "Ann" },
      app_metadata: { team: "a" },
    });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({
      email: "ann@example.org",
      aud: "authenticated",
      role: "authenticated",
      user_metadata: { name: "Ann" },
      app_metadata: { provider: "email", providers: ["email"], team: "a" },
      identities: [{ provider: "email", identity_data: { email: "ann@example.org", email_verified: true } }],
    });
    expect(data.user?.email_confirmed_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/);
    const session = await signIn("ann@example.org", password);
    expect(session.data.user?.id).toBe(data.user?.id);
    expect((await signIn("ann@example.org", "another-password")).error?.code).toBe("invalid_credentials");
  });

  it("lets nobody sign in whose address is not confirmed", async () => {
    const { data } = await admin.createUser({ email: "unconfirmed@example.org", password });
    expect(data.user?.email_confirmed_at).toBeNull();
    expect((await signIn("unconfirmed@example.org", password)).error?.code).toBe("email_not_confirmed");
    await admin.updateUserById(data.user?.id ?? "", { email_confirm: true });
    expect((await signIn("unconfirmed@example.org", password)).error).toBeNull();
  });

  it.each([
    [{ email: adminEmail, password }, 422, "email_exists"],
    [{ email: "b@example.org", password: "eleven-char" }, 422, "weak_password"],
    [{ email: "b@example.org", password: "é".repeat(40) }, 422, "weak_password"],
    [{ email: "not an address", password }, 422, "validation_failed"],
    [{ password }, 422, "validation_failed"],
    [{ email: "b@example.org", phone: "123", password }, 422, "validation_failed"],
    [{ email: "b@example.org", ban_duration: "24h", password }, 422, "validation_failed"],
  ])("refuses to create %o", async (attributes, status, code) => {
    const { error } = await admin.createUser(attributes);
    expect([error?.status, error?.code]).toEqual([status, code]);
  });

  it("lists in pages with the number of all", async () => {
    const first = await admin.listUsers({ page: 1, perPage: 2 });
    expect(first.data).toMatchObject({ total: 3, nextPage: 2, lastPage: 2 });
    const second = await admin.listUsers({ page: 2, perPage: 2 });
    expect([...first.data.users, ...second.data.users].map((user) => user.email)).toEqual([
      adminEmail,
      "ann@example.org",
      "unconfirmed@example.org",
    ]);
    expect(JSON.stringify([first, second])).not.toMatch(/\$2[aby]\$|encrypted/);
  });

  it("changes address, metadata and password, and a new password ends every session", async () => {
    const { data: created } = await admin.createUser({ email: "c@example.org", password, email_confirm: true });
    const id = created.user?.id ?? "";
    const member = clientOf(backend, backend.publishableKey);
    await member.auth.signInWithPassword({ email: "c@example.org", password });
    const { data } = await admin.updateUserById(id, {
      email: "d@example.org",
      password: "an-entirely-new-one",
      user_metadata: { name: "Dee" },
    });
    expect(data.user).toMatchObject({ id, email: "d@example.org", user_metadata: { name: "Dee" } });
    expect((await member.auth.getUser()).error).not.toBeNull();
    expect((await member.auth.refreshSession()).error).not.toBeNull();
    expect((await signIn("d@example.org", "an-entirely-new-one")).error).toBeNull();
    expect((await signIn("d@example.org", password)).error?.code).toBe("invalid_credentials");
    expect((await admin.updateUserById(id, { email: adminEmail })).error?.code).toBe("email_exists");
  });

  it("erases a user with identities and sessions", async () => {
    const { data } = await admin.createUser({ email: "gone@example.org", password, email_confirm: true });
    const id = data.user?.id ?? "";
    await signIn("gone@example.org", password);
    expect((await admin.deleteUser(id, true)).error?.code).toBe("validation_failed");
    expect((await admin.deleteUser(id)).error).toBeNull();
    expect((await admin.getUserById(id)).error?.code).toBe("user_not_found");
    expect((await admin.deleteUser(id)).error?.code).toBe("user_not_found");
    const left = await backend.sql(
      `select id::text from auth.identities where user_id = $1 union all select id::text from auth.sessions
       where user_id = $1 union all select id from auth.refresh_tokens where user_id = $1`,
      [id],
    );
    expect(left).toEqual([]);
  });

  it("is closed to every other key, and to a signed-in user", async () => {
    const list = (headers: Record<string, string>) =>
      backend.fetch(`${backend.url}/auth/v1/admin/users`, { headers }).then((answer) => answer.status);
    const session = await signIn(adminEmail, adminPassword);
    const token = session.data.session?.access_token ?? "";
    expect(await list({})).toBe(401);
    expect(await list({ apikey: backend.publishableKey })).toBe(403);
    expect(await list({ apikey: backend.publishableKey, authorization: `Bearer ${token}` })).toBe(403);
    expect(await list({ apikey: backend.secretKey, authorization: `Bearer ${token}` })).toBe(403);
    expect(await list({ apikey: backend.publishableKey, authorization: `Bearer ${backend.secretKey}` })).toBe(403);
    expect(await list({ apikey: backend.secretKey })).toBe(200);
  });
});
