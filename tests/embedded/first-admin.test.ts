import type { PGlite } from "@electric-sql/pglite";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ensureFirstAdmin, type FirstAdmin } from "#supabase/embedded/auth/first-admin.ts";
import { hashPassword, isPasswordOf } from "#supabase/embedded/auth/passwords.ts";
import { type Transact, Users } from "#supabase/embedded/auth/users.ts";
import { openDatabase } from "#supabase/embedded/session/open-database.ts";
import { makeFolder, startTestBackend } from "./support/start-backend.ts";
import { testAdmin } from "../support/test-admin.ts";

const { email } = testAdmin;
const [first, second, third] = ["correct-horse-battery", "an-entirely-new-one", "yet-another-phrase"] as const;

// These tests run in order, over the lifetime of one site.
let dataDir: string;
let database: PGlite;
let generated: string;
beforeAll(async () => void (dataDir = await makeFolder()));
afterAll(() => database.close());

const transact: Transact = (work) => database.transaction(work);

/** Does what a start does with its setting. Returns the logged events. */
async function start(admin: FirstAdmin): Promise<string[]> {
  const events: string[] = [];
  await ensureFirstAdmin(new Users(transact), transact, admin, ({ event }) => void events.push(event));
  return events;
}

const query = async <Row>(sql: string, parameters?: unknown[]) => (await database.query<Row>(sql, parameters)).rows;

async function hasPassword(password: string): Promise<boolean> {
  const [user] = await query<{ hash: string }>("select encrypted_password as hash from auth.users");
  return isPasswordOf(user?.hash ?? "", password);
}

const sessions = () => query("select id from auth.sessions union all select session_id from auth.refresh_tokens");
const marks = () =>
  query<{ mark: unknown }>("select raw_app_meta_data -> 'password_is_generated' as mark from auth.users");

it("the first admin is rejected with a common password, and the folder is released", async () => {
  await expect(startTestBackend({ dataDir, admin: { email, password: "password1234" } })).rejects.toThrow(
    /^ADMIN_PASSWORD was rejected\. This password is among those guessed first/,
  );
});

it("the first admin gets a generated password, shown once and marked until it is replaced", async () => {
  const backend = await startTestBackend({ dataDir, admin: { email: "Admin@Firm.example" } });
  const { firstAdmin } = backend;
  expect(firstAdmin?.email).toBe(email);
  expect(firstAdmin?.password).toMatch(/^[a-hjkmnp-z2-9]{26}$/);
  generated = firstAdmin?.password ?? "";
  const { data } = await backend.client().auth.signInWithPassword({ email, password: generated });
  expect(data.user?.app_metadata.password_is_generated).toBe(true);
  await backend.close();

  database = openDatabase(join(dataDir, "pg"));
  await database.waitReady;
  expect(await start({ email })).toEqual([]);
  expect(await hasPassword(generated)).toBe(true);
  expect(await marks()).toEqual([{ mark: true }]);
  expect(await sessions()).not.toEqual([]);
});

it("the first admin gets a changed ADMIN_PASSWORD at the start, which ends their sessions and is logged", async () => {
  // A rejected password changes nothing.
  const before = await sessions();
  await expect(start({ email, password: "short" })).rejects.toThrow(/^ADMIN_PASSWORD was rejected/);
  expect(await sessions()).toEqual(before);
  expect(await start({ email, password: first })).toEqual(["embedded.admin-password-changed"]);
  expect(await hasPassword(first)).toBe(true);
  expect(await marks()).toEqual([{ mark: null }]);
  expect(await sessions()).toEqual([]);
  await query("insert into auth.sessions (id, user_id) select gen_random_uuid(), id from auth.users");
  expect(await start({ email, password: first })).toEqual([]);
  expect(await sessions()).toHaveLength(1);
});

it("the first admin keeps the password after an upgrade from a version that did not record the setting", async () => {
  await query("delete from embedded.applied_passwords");
  expect(await start({ email, password: first })).toEqual([]);
  expect(await sessions()).toHaveLength(1);
  expect(await query("select user_id from embedded.applied_passwords")).toHaveLength(1);
});

it("the first admin keeps a password that was changed since, and logs that the setting is outdated", async () => {
  await query("update auth.users set encrypted_password = $1", [await hashPassword(second)]);
  expect(await start({ email, password: first })).toEqual(["embedded.admin-password-outdated"]);
  expect(await hasPassword(second)).toBe(true);
  expect(await start({ email, password: third })).toEqual(["embedded.admin-password-changed"]);
  expect(await hasPassword(third)).toBe(true);
});
