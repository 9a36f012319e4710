import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runPrivacyPack } from "~/server/commands/privacy-pack/run-privacy-pack.server";
import { withDatabase } from "#supabase/embedded/operations/read-database.ts";
import { type HostedDatabase, startHostedDatabase } from "../embedded/operations/hosted-database";
import { runCommand } from "../support/commands/admin-command";
import { runInProcess } from "../support/commands/run-in-process";
import { startSite } from "../support/site";
import { makeDataDir, makeSiteFolder } from "../support/site-folder";

/** Consent id of a visitor who allowed analytics. */
const consentId = "c".repeat(32);

const messageId = "00000000-0000-4000-8000-000000000001";

/** Values that must never be in the pack. */
const personalData = ["Zoë Example", "zoe1@example.com", "A private question", "203.0.113.7", "Mozilla/5.0"];

/** Fills a database with personal data of each kind, and proofs of deletions. */
async function fillSite(database: Pick<PGlite, "exec">): Promise<void> {
  await database.exec(`
    insert into public.contact_submissions
      (id, name, email, company, stage, goal, message, ip_address, consented_at, consent_policy_version, consent_text_hash)
      values ('${messageId}', 'Zoë Example', 'zoe1@example.com', 'C', 'S', 'G', 'A private question', '203.0.113.7', now(),
        '1.0', '0b8b8ae6cd1f7b2cf0121590d4ad685288eb0fa7e89ea62ba925acd77c36eee9');
    insert into public.data_rights_requests
      (reference, request_type, name, email, description, state, received_at, due_on, confirmed_at)
      values ('DR-2222-2222', 'access', 'Zoë Example', 'zoe1@example.com', 'A private question', 'open', now(),
        now()::date + 30, now());
    insert into private.retention_runs (ran_at, source, counts) values
      (date_trunc('month', now()), 'server', '{"submissions": 2, "mails": 3}'),
      (date_trunc('month', now()) + interval '1 second', 'server', '{"submissions": 3, "mails": 4}'),
      (date_trunc('month', now()) - interval '1 day', 'server', '{"submissions": 4}');
    insert into private.erasure_tombstones (reference, email_hash, counts, erased_by)
      values ('DR-GONE-2222', repeat('a', 64), '{}', gen_random_uuid());

    insert into private.consent_history
      (session_id, analytics_consent, marketing_consent, functional_consent, consent_version, text_hash, source, decided_at)
      values ('${consentId}', true, false, true, '1.0', '9bcb4f3f73fc2cd8a08c1eb5c43531d57ad7eba60aee58a8907bb61c1a2302df', 'banner', '2026-03-04T05:06:07Z');
    insert into public.user_consents
      (session_id, analytics_consent, marketing_consent, functional_consent, user_agent, consent_version, updated_at)
      values ('${consentId}', true, false, true, 'Mozilla/5.0 (Test)', '1.0', '2026-03-04T05:06:07Z');`);
}

let hosted: HostedDatabase;
let dataDir: string;
/** Variables of a site with its own database, and of one with a project. */
let variables: Record<"embedded" | "hosted", Record<string, string>>;

beforeAll(async () => {
  dataDir = await makeSiteFolder();
  await withDatabase(join(dataDir, "pg"), fillSite);
  hosted = await startHostedDatabase();
  await fillSite({ exec: async (sql) => void (await hosted.exec(sql, "postgres")) as never });
  variables = {
    embedded: { DATA_DIR: dataDir },
    hosted: {
      SUPABASE_URL: "https://project.supabase.co",
      SUPABASE_PUBLISHABLE_KEY: "publishable",
      SESSION_SECRET: "s".repeat(32),
      SITE_URL: "https://firm.example",
      GA_MEASUREMENT_ID: "G-ABC123DEF4",
      DATABASE_URL: hosted.url,
    },
  };
});
afterAll(() => hosted?.close());

const run = (environment: Record<string, string>, ...words: string[]) =>
  runInProcess(() => runPrivacyPack(words, environment));

interface Retention {
  schedule: { kind: string; kept: string }[];
  lastRun: { source: string };
  deletedByMonth: Record<string, string | number>[];
}

async function readPack(folder: string) {
  const names = await readdir(folder);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  const find = (name: string) => texts[names.indexOf(name)] ?? "";
  const { retention } = JSON.parse(find("privacy-pack.json")) as { retention: Retention };
  return { folder, retention, record: find("record-of-processing.md"), all: texts.join("\n") };
}

// `planted-backups.test.ts` shows that a backup leaves the pack out.
describe.each(["embedded", "hosted"] as const)("the pack of a site on a database that is %s", (kind) => {
  let pack: Awaited<ReturnType<typeof readPack>>;
  let said: string;

  beforeAll(async () => {
    const folder = join(kind === "embedded" ? dataDir : await makeDataDir(), "privacy-pack");
    ({ said } = await run(variables[kind], ...(kind === "embedded" ? [] : ["--to", folder])));
    pack = await readPack(folder);
  });

  it("contains no personal data, and is in the folder that is printed", () => {
    expect(said).toContain(pack.folder);
    for (const words of personalData) expect(pack.all).not.toContain(words);
  });

  it("has the record with every activity, and the recipients in use only", () => {
    expect(pack.record).toContain("\n## Answering messages");
    expect(pack.record).toContain("2 years after the message arrived");
    expect(pack.record).toMatch(/## Columns without a purpose\s+None\.$/m);
    const lists = [...pack.record.matchAll(/\*\*Recipients:\*\* (.+)/g)].map(([, names = ""]) => names).join("; ");
    for (const name of ["Supabase", "Google", "Email providers"]) expect(lists.includes(name)).toBe(kind === "hosted");
    expect(/Google|Supabase|Email providers/.test(pack.record)).toBe(kind === "hosted");
  });

  it("proves twelve months of deletions, including months without any", () => {
    const { deletedByMonth, lastRun, schedule } = pack.retention;
    expect(schedule).toContainEqual({ kind: "sender_addresses", kept: "30 days after the message arrived" });
    expect(deletedByMonth).toHaveLength(12);
    expect(lastRun.source).toBe("server");
    expect(deletedByMonth.at(-1)).toMatchObject({ runs: 2, submissions: 5, mails: 7, peopleErased: 1 });
    expect(deletedByMonth.at(-2)).toMatchObject({ runs: 1, submissions: 4, peopleErased: 0 });
    expect(deletedByMonth.at(0)).toMatchObject({ runs: 0, submissions: 0 });
  });

  it("is joined by the proof of one consent, with its decisions and the exact text", async () => {
    const proof = (await run(variables[kind], "consent", consentId)).said;
    expect(proof).toContain("| Mar 4, 2026, 5:06 AM UTC |");
    expect(proof).toContain("May Google Analytics count your visit?");
    const { code, said: json } = await run(variables[kind], "consent", consentId, "--json");
    const choice = { analytics: true, source: "banner", version: "1.0", decidedAt: "2026-03-04T05:06:07+00:00" };
    expect([code, JSON.parse(json)]).toMatchObject([0, { choices: [choice] }]);
  });
});

it("proves the consent of a message, without its text", async () => {
  const { code, said } = await run(variables.embedded, "consent", messageId);
  const agreed = "I agree that my details may be used to answer this message";
  expect([code, said]).toEqual([0, expect.stringContaining(agreed)]);
  for (const words of personalData) expect(said).not.toContain(words);
});

const noDatabase = /^There is no database in .* Is DATA_DIR right\? A hosted project needs SUPABASE_URL/;
const noAnswer =
  /^The database of DATABASE_URL cannot be reached \(ECONNREFUSED\)\. Nothing was written\. .*DATABASE_URL\.$/;
const unreachable = "postgresql://postgres:secret-word@127.0.0.1:1/postgres";

it.each<[keyof typeof variables, Record<string, string>, words: string, RegExp]>([
  ["embedded", {}, `consent ${"n".repeat(32)}`, /There is no consent with this number/],
  ["embedded", {}, "consent 7", /A consent number has 32 characters/],
  ["embedded", {}, "--to package.json", /Cannot write to .*package\.json \(EEXIST\)\. Choose another folder/],
  ["embedded", { DATA_DIR: "/nowhere" }, "--to x", noDatabase],
  ["hosted", { DATABASE_URL: "" }, "--to x", /^Set DATABASE_URL to the direct connection/],
  ["hosted", { DATABASE_URL: unreachable }, "--to x", noAnswer],
  ["hosted", { SESSION_SECRET: "" }, "--to x", /^The settings have a mistake:\n- SESSION_SECRET/],
])("fails with a reason on a site that is %s, with %j and %s", async (kind, changed, words, reason) => {
  const { code, said } = await run({ ...variables[kind], ...changed }, ...words.split(" "));
  expect([code, said]).toEqual([1, expect.stringMatching(reason)]);
});

it("rejects a project that lacks a migration, and says how to proceed", async () => {
  const reportMigration = (version = "") =>
    hosted.exec(
      `create or replace function public.newest_migration() returns text language sql as $$ select '${version}' $$`,
      "postgres",
    );
  const [newest] = await hosted.sql<{ version: string }>("select public.newest_migration() as version");
  await reportMigration("20200101000000");
  const result = await run({ ...variables.hosted, DATA_DIR: dataDir });
  await reportMigration(newest?.version);
  const said = "The database’s migrations differ from this version’s. Run `supabase db push` in this version first.";
  expect(result).toEqual({ code: 1, said });
});

it("is written beside a running server, which it does not stop", async () => {
  const site = await startSite({}, { dataDir, isWarm: true });
  const elsewhere = join(await makeDataDir(), "pack");
  const { code } = await runCommand("privacy-pack", ["--to", elsewhere], dataDir);
  const { retention } = await readPack(elsewhere);
  expect([code, retention.deletedByMonth.at(-1)?.peopleErased]).toEqual([0, 1]);
  // The database is busy with the snapshot for a moment.
  await expect.poll(async () => (await fetch(`${site.url}/readyz`)).status).toBe(200);
  await site.stop();
});
