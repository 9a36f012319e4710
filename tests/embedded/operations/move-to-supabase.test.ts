import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { compare } from "bcryptjs";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DataFolderInUse } from "#supabase/embedded/folder/lock.ts";
import { makeBackup } from "#supabase/embedded/backups/backup.ts";
import { moveToSupabase } from "#supabase/embedded/operations/move/move-to-supabase.ts";
import { startTestBackend, type TestBackend } from "../support/start-backend.ts";
import { testAdmin } from "../../support/test-admin.ts";
import { type HostedDatabase, startHostedDatabase } from "./hosted-database.ts";
import { startSite } from "./site.ts";

const messages = 620;
const tables = ["public.contact_submissions", "private.email_outbox", "private.contact_receipts"];

/** More than one batch of messages, and at least one row of each other kind. */
const rows = `
  select public.receive_contact_submission(
    jsonb_build_object('name', 'Zoë', 'email', 'zoe@example.com', 'company', 'C', 'stage', 'S', 'goal', 'G',
      'message', E'Grüße\\n🙂'),
    gen_random_uuid()::text, null,
    '[{"kind": "firm", "recipient": null, "reply_to": "zoe@example.com", "subject": "New", "body": "Grüße"}]')
  from generate_series(1, ${messages});
  -- Earlier versions accepted this address; new messages may not have it, and it moves with the others.
  update public.contact_submissions set email = 'a..b@firm'
    where id = (select min(id::text)::uuid from public.contact_submissions);
  insert into public.user_roles (user_id, role) select id, 'admin' from auth.users;
  insert into private.consent_history
    (session_id, analytics_consent, marketing_consent, functional_consent, consent_version, text_hash, source, decided_at)
    values (repeat('a', 32), true, false, true, '1.0', repeat('0', 64), 'banner', '2026-03-04T05:06:07.123456Z');
  insert into public.admin_events (actor, action) select id, 'looked' from auth.users;
  insert into public.network_members
    (email, name, company, fields, pending, pending_at, consent_text_hash, consent_policy_version)
    values ('zoe@example.com', 'Zoë', 'C', '{ai,devices}', '{"name": "Zoë"}', now(), repeat('c', 64), '1.0');
  insert into public.network_events (member_id, actor_kind, action)
    select id, 'member', 'asked' from public.network_members;
  select private.link_key();
  select public.set_site_facts('{"FIRM_NAME": "Moved"}');
  insert into private.network_departures (email_hash) values (repeat('b', 64));`;

let hosted: HostedDatabase;
let site: TestBackend;
let backup: string;
/** TOTP secret in the admin's authenticator app. */
let factorKey: string | undefined;

beforeAll(async () => {
  hosted = await startHostedDatabase();
  site = await startSite();
  await site.sql(rows);
  const { auth } = site.client();
  await auth.signInWithPassword(testAdmin);
  factorKey = (await auth.mfa.enroll({ factorType: "totp", friendlyName: "Phone" })).data?.totp.secret;
  await site.sql("update auth.mfa_factors set status = 'verified'");
});
afterAll(() => hosted?.close());

const countOf = async (table: string) =>
  (await hosted.sql<{ n: number }>(`select count(*)::int as n from ${table}`))[0]?.n;

async function expectNothingMoved(): Promise<void> {
  for (const table of [...tables, "auth.users", "auth.identities"]) expect(await countOf(table), table).toBe(0);
}

it("rejects a data folder in use by a server", async () => {
  await expect(moveToSupabase(site.dataDir, hosted.url)).rejects.toBeInstanceOf(DataFolderInUse);
  ({ file: backup } = await makeBackup(site.dataDir));
  await site.close();
});

it("rejects a backup without a list of later erasures", async () => {
  const list = join(dirname(backup), "erasures.json");
  const text = await readFile(list, "utf8");
  await rm(list);
  await expect(moveToSupabase(backup, hosted.url)).rejects.toThrow(/There is no list of erasures since/);
  await writeFile(list, text);
  await expectNothingMoved();
});

const newest = "(select max(version) from supabase_migrations.schema_migrations)";

it.each<[target: string, spoil: string, mend: string, message: string | RegExp]>([
  [
    "other migrations, which it names",
    `update supabase_migrations.schema_migrations set name = version, version = '1' where version = ${newest}`,
    "update supabase_migrations.schema_migrations set version = name where version = '1'",
    /- \d{14} is missing there\n- 1 is unknown here/,
  ],
  [
    "different columns",
    "alter table public.contact_submissions add column extra text",
    "alter table public.contact_submissions drop column extra",
    "different columns in public.contact_submissions",
  ],
  [
    "an account with the same address",
    "insert into auth.users (id, email) values (gen_random_uuid(), 'ADMIN@firm.example')",
    "delete from auth.users",
    "accounts with the same addresses",
  ],
  [
    "rows",
    `insert into public.contact_submissions (name, email, company, stage, goal, message)
     values ('n', 'e@a.example', 'c', 's', 'g', 'm')`,
    "delete from public.contact_submissions",
    "rows in public.contact_submissions",
  ],
  [
    "a check that refuses a row, which it does not quote",
    "alter table private.email_outbox add constraint odd check (body = 'odd') not valid",
    "alter table private.email_outbox drop constraint odd",
    "The target rejected a statement (SQLSTATE 23514, email_outbox, odd). Nothing was moved.",
  ],
  [
    "a trigger that changes the copy",
    `create function private.spoil() returns trigger language plpgsql as 'begin new.body = upper(new.body); return new; end';
     create trigger spoil before insert on private.email_outbox for each row execute function private.spoil()`,
    "drop trigger spoil on private.email_outbox; drop function private.spoil()",
    "rows of the table private.email_outbox differ",
  ],
])("moves nothing to a target with %s", async (_target, spoil, mend, message) => {
  await hosted.exec(spoil, "postgres");
  await expect(moveToSupabase(site.dataDir, hosted.url)).rejects.toThrow(message);
  await hosted.exec(mend, "postgres");
  await expectNothingMoved();
});

const elsewhere = "postgresql://postgres:secret-word@db.invalid/postgres";

it.each<[target: string, url: string, message: string | RegExp]>([
  [
    "does not respond",
    "postgresql://postgres:secret-word@127.0.0.1:1/postgres",
    /^The target cannot be reached \(ECONNREFUSED\)\. Nothing was moved\./,
  ],
  [
    "has no TLS",
    "SERVER&sslmode=verify-full",
    /^The target does not support TLS\. .* DATABASE_URL .* Nothing was moved\.$/,
  ],
  [
    "has a certificate that is missing here",
    "SERVER&sslmode=verify-full&sslrootcert=/missing.crt",
    /^DATABASE_URL names a file that does not exist/,
  ],
  ...["postgresql://u:12#secret-word@127.0.0.1/postgres", "postgresql://u:p/secret-word@db", "secret-word"].map(
    (url): [string, string, RegExp] => ["is no URL", url, /^DATABASE_URL is not a PostgreSQL URL such as /],
  ),
  ...["", "?sslmode=disable", "?sslmode=no-verify", "?ssl=0", "?uselibpqcompat=true&sslmode=require"].map(
    (options): [string, string, RegExp] => [
      "is elsewhere, without a verified certificate",
      elsewhere + options,
      /^DATABASE_URL leads to another machine without a verified/,
    ],
  ),
  ["is elsewhere, and verified", `${elsewhere}?sslmode=verify-full`, /cannot be reached \((?:ENOTFOUND|EAI_AGAIN)\)/],
])("explains without its password a target that %s: %s", async (_target, url, message) => {
  const refusal: unknown = await moveToSupabase(site.dataDir, url.replace("SERVER", hosted.url)).catch(
    (error) => error,
  );
  expect(refusal).toMatchObject({ name: "OperationRefused", message: expect.stringMatching(message) });
  expect((refusal as Error).message).not.toContain("secret-word");
});

it("sends no password to a target whose certificate nobody signed", async () => {
  const tls = new SMTPServer({ secure: true, logger: false }).on("error", () => undefined);
  tls.listen(0, "127.0.0.1");
  await once(tls.server, "listening");
  const { port } = tls.server.address() as AddressInfo;
  const url = `postgresql://postgres:secret-word@127.0.0.1:${port}/postgres?sslmode=verify-full&sslnegotiation=direct`;
  await expect(moveToSupabase(site.dataDir, url)).rejects.toThrow(
    /cannot be reached \(.*CERT.*certificate was rejected/,
  );
  tls.close(() => undefined);
});

it("moves every row of a backup, the accounts with their passwords, and the sequences", async () => {
  // An operator who wrote the facts early is not refused.
  await hosted.exec(`select public.set_site_facts('{"FIRM_NAME": "Early"}')`);
  const moved = await moveToSupabase(backup, hosted.url);
  expect(await hosted.sql("select facts from private.site_facts")).toEqual([{ facts: { FIRM_NAME: "Moved" } }]);
  expect(moved.users).toBe(1);
  for (const table of tables) {
    expect(moved.tables.find(({ name }) => name === table)?.rows).toBe(messages);
    expect(await countOf(table)).toBe(messages);
  }
  expect(await countOf("private.submission_search")).toBe(messages);
  const single = ["public.network_members", "public.network_events", "private.link_keys", "private.network_departures"];
  for (const table of single) expect([table, await countOf(table)]).toEqual([table, 1]);
  const [row] = await hosted.sql<{ message: string }>("select distinct message from public.contact_submissions");
  expect(row?.message).toBe("Grüße\n🙂");
  const [choice] = await hosted.sql<{ decided_at: string }>(
    "select (decided_at at time zone 'UTC')::text as decided_at from private.consent_history",
  );
  expect(choice?.decided_at).toBe("2026-03-04 05:06:07.123456");
  const [account] = await hosted.sql<{ encrypted_password: string; confirmation_token: string; email: string }>(
    "select u.*, i.email from auth.users u join auth.identities i on i.user_id = u.id",
  );
  expect(account).toMatchObject({ email: testAdmin.email, confirmation_token: "" });
  expect(await compare(testAdmin.password, account?.encrypted_password ?? "")).toBe(true);
  // Without the factor, a password alone would give access to the admin area there.
  expect(await hosted.sql("select status::text, factor_type::text, secret from auth.mfa_factors")).toEqual([
    { status: "verified", factor_type: "totp", secret: factorKey },
  ]);
  await hosted.exec(
    "insert into public.admin_events (actor, action) select user_id, 'next' from public.user_roles",
    "postgres",
  );
  expect(await hosted.sql("select id, action from public.admin_events order by id")).toEqual([
    { id: 1, action: "looked" },
    { id: 2, action: "factor-on" },
    { id: 3, action: "next" },
  ]);
});

it("refuses a second move, and leaves the source unchanged", async () => {
  await expect(moveToSupabase(site.dataDir, hosted.url)).rejects.toThrow(/is not empty/);
  const again = await startTestBackend({ dataDir: site.dataDir });
  expect(await again.sql("select count(*)::int as n from public.contact_submissions")).toEqual([{ n: messages }]);
  await again.close();
});
