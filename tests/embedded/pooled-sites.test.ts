import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { copyTree } from "#supabase/embedded/folder/copy-tree.ts";
import { cookies } from "~/content/cookie-registry";
import { readMailsTo } from "../support/data-rights";
import { type Sql, withDatabaseOf } from "../support/find-text";
import { parkedName } from "../support/pool/pooled-folder.mjs";
import { type TestSite, startSite, testAdmin } from "../support/site";
import { makeDataDir } from "../support/site-folder";
import { Visitor, filledContactForm, readText } from "../support/visitor";

let site: TestSite | undefined;
afterEach(() => site?.stop());

/** The session length is part of the key, so that no other test's site is taken over. */
const settings = { TRUSTED_PROXIES: "1", POST_RATE_LIMIT: "3", ADMIN_SESSION_HOURS: "11" };
const client = { "X-Forwarded-For": "203.0.113.9", "User-Agent": "Mozilla/5.0 (Android 14)" };

it("starts like a new site on the open database of a stopped one", async () => {
  const first = await startSite(settings);
  await first.stop();
  const fresh = await readParked(first.dataDir);

  const second = (site = await startSite({ ...settings, TIME_ZONE: "Asia/Tokyo" }));
  expect(second.dataDir).toBe(first.dataDir);
  const [admin, stranger] = [new Visitor(second.url), new Visitor(second.url)];
  await admin.post("/login", testAdmin, client);
  for (let n = 0; n < 3; n += 1) await stranger.post("/contact", filledContactForm, client);
  expect((await stranger.post("/contact", filledContactForm, client)).status).toBe(429);
  const wrong = { ...testAdmin, password: "not the passphrase" };
  for (let n = 0; n < 3; n += 1) await new Visitor(second.url).post("/login", wrong);
  await expect.poll(() => readMailsTo(second.dataDir, testAdmin.email), { timeout: 60_000 }).not.toEqual([]);
  expect((await admin.get("/admin")).html).toContain(filledContactForm.company);
  const session = admin.cookie(cookies.adminSession.name) ?? "";
  await second.stop();
  expect(await readParked(first.dataDir)).toEqual(fresh);

  const third = (site = await startSite(settings));
  expect(third.dataDir).toBe(first.dataDir);
  expect(await readdir(third.dataDir)).not.toContain("mail");
  const thief = new Visitor(third.url);
  thief.setCookie(cookies.adminSession.name, session);
  expect((await thief.get("/admin")).status).toBe(303);
  expect((await thief.post("/contact", filledContactForm, client)).status).toBe(303);
  const again = new Visitor(third.url);
  await again.signIn();
  expect(readText((await again.get("/admin/account")).html)).not.toContain("Android");
});

/** Reads all rows and sequences of a database that stays open, from a copy. */
async function readParked(dataDir: string): Promise<unknown> {
  await expect(withDatabaseOf(dataDir, (sql) => sql("select from public.admins"))).rejects.toThrow(/./);
  const copy = await makeDataDir();
  await copyTree(join(dataDir, parkedName), join(copy, "pg"), () => true);
  return withDatabaseOf(copy, async (sql) => ({ tables: await readTables(sql), sequences: await sql(sequences) }));
}

async function readTables(sql: Sql): Promise<unknown> {
  const tables = await sql<{ query: string }>(
    `select format('select %L as name, json_agg(t order by t::text) as rows from %I.%I as t', tablename, schemaname, tablename)
       as query
     from pg_tables where schemaname in ('public', 'private', 'auth', 'embedded') order by 1`,
  );
  expect(tables.length).toBeGreaterThan(40);
  return sql(tables.map(({ query }) => query).join(" union all "));
}

const sequences = "select schemaname, sequencename, last_value from pg_sequences order by 1, 2";
