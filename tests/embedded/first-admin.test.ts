import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FirstAdmin } from "#supabase/embedded/auth/first-admin.ts";
import { hashPassword } from "#supabase/embedded/auth/passwords.ts";
import { clientOf } from "./support/client.ts";
import { makeFolder, startTestBackend, type TestBackend } from "./support/start-backend.ts";
import { testAdmin } from "../support/test-admin.ts";

const { email } = testAdmin;
const [first, second, third] = ["correct-horse-battery", "an-entirely-new-one", "yet-another-phrase"] as const;

/** These tests run in order, over the lifetime of one site. */
describe("the first admin", () => {
  let backend: TestBackend | undefined;
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await makeFolder();
  });
  afterAll(() => backend?.remove());

  /** Stops the running backend and starts one on the same folder. */
  async function start(admin: FirstAdmin): Promise<TestBackend> {
    await backend?.close();
    backend = await startTestBackend({ dataDir, admin });
    return backend;
  }

  const signIn = (password: string) =>
    clientOf(backend!, backend!.publishableKey).auth.signInWithPassword({ email, password });
  const accepts = async (password: string) => (await signIn(password)).error === null;
  const events = () => backend!.events.map(({ event }) => event);

  const sessions = () => backend!.sql("select id from auth.sessions");

  it("is rejected with a short or common password, and the folder is released", async () => {
    const short = start({ email, password: "short" });
    await expect(short).rejects.toThrow(/^ADMIN_PASSWORD was rejected\. Password should be at least 12 characters/);
    const common = start({ email, password: "password1234" });
    await expect(common).rejects.toThrow(/^ADMIN_PASSWORD was rejected\. This password is among those guessed first/);
  });

  it("gets a generated password, shown once and marked until it is replaced", async () => {
    const { firstAdmin, ...keys } = await start({ email: "Admin@Firm.example" });
    expect(firstAdmin?.email).toBe(email);
    expect(firstAdmin?.password).toMatch(/^[a-hjkmnp-z2-9]{20}$/);
    const again = await start({ email });
    expect(again.firstAdmin).toBeNull();
    expect([again.publishableKey, again.secretKey]).toEqual([keys.publishableKey, keys.secretKey]);
    const generated = firstAdmin?.password ?? "";
    expect((await signIn(generated)).data.user?.app_metadata.password_is_generated).toBe(true);

    await start({ email, password: first });
    expect(events()).toEqual(["embedded.admin-password-changed"]);
    expect(await accepts(generated)).toBe(false);
    expect((await signIn(first)).data.user?.app_metadata).toEqual({ provider: "email", providers: ["email"] });
  });

  it("gets a changed ADMIN_PASSWORD at the start, which ends their sessions and is logged", async () => {
    const { data } = await signIn(first);
    const before = await sessions();
    await start({ email, password: first });
    expect(await sessions()).toEqual(before);
    expect(events()).toEqual([]);

    // A rejected password changes nothing either.
    await expect(start({ email, password: "short" })).rejects.toThrow(/^ADMIN_PASSWORD was rejected/);
    await start({ email, password: second });
    expect(events()).toEqual(["embedded.admin-password-changed"]);
    expect([await accepts(first), await accepts(second)]).toEqual([false, true]);
    const old = clientOf(backend!, backend!.publishableKey).auth;
    expect((await old.getUser(data.session?.access_token)).error?.name).toBe("AuthSessionMissingError");
    expect((await old.refreshSession(data.session!)).error?.code).toBe("refresh_token_not_found");
  });

  it("keeps the password after an upgrade from a version that did not record the setting", async () => {
    const before = await sessions();
    expect(before.length).toBeGreaterThan(0);
    await backend!.sql("delete from embedded.applied_passwords");
    await start({ email, password: second });
    expect(events()).toEqual([]);
    expect(await sessions()).toEqual(before);
    expect((await backend!.sql("select user_id from embedded.applied_passwords")).length).toBe(1);
  });

  it("keeps a password that was changed since, and logs that the setting is outdated", async () => {
    const changed = await hashPassword(first);
    await backend!.sql("update auth.users set encrypted_password = $1 returning id", [changed]);
    await start({ email, password: second });
    expect(events()).toEqual(["embedded.admin-password-outdated"]);
    expect([await accepts(second), await accepts(first)]).toEqual([false, true]);
    await start({ email, password: third });
    expect([await accepts(first), await accepts(third)]).toEqual([false, true]);
  });
});
