import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { runPrivacyPack } from "~/server/commands/privacy-pack/run-privacy-pack.server";
import { type HostedDatabase, startHostedDatabase } from "../embedded/operations/hosted-database";
import { makeDataDir } from "../support/product";
import { consentId, fillSite, personalData } from "./support/filled-site";

let hosted: HostedDatabase;
let environment: Record<string, string>;
beforeAll(async () => {
  hosted = await startHostedDatabase();
  await fillSite({ exec: async (sql) => void (await hosted.exec(sql, "postgres")) as never });
  environment = {
    SUPABASE_URL: "https://project.supabase.co",
    SUPABASE_PUBLISHABLE_KEY: "publishable",
    SESSION_SECRET: "s".repeat(32),
    SITE_URL: "https://firm.example",
    GA_MEASUREMENT_ID: "G-ABC123DEF4",
    DATABASE_URL: hosted.url,
  };
});
afterAll(() => hosted?.close());

/** Returns and clears the output on standard error, which the test setup would report otherwise. */
function takeErrors(): string {
  const text = vi.mocked(console.error).mock.calls.join("\n");
  vi.mocked(console.error).mockClear();
  return text;
}

/** SQL that makes the database report another newest migration. */
const reportMigration = (version: string) =>
  `create or replace function public.newest_migration() returns text language sql as $$ select '${version}' $$`;

/** Runs a command and returns its output. */
async function print(...words: string[]): Promise<string> {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  try {
    expect(await runPrivacyPack(words, environment)).toBe(0);
    return log.mock.calls.join("\n");
  } finally {
    log.mockRestore();
  }
}

it("describes a hosted project with its recipients and its own figures, without personal data", async () => {
  const folder = await makeDataDir();
  await print("--to", folder);
  const text = await readFile(join(folder, "privacy-pack.json"), "utf8");
  const record = await readFile(join(folder, "record-of-processing.md"), "utf8");
  for (const words of personalData) expect(text + record).not.toContain(words);
  const pack = JSON.parse(text) as {
    retention: { deletedByMonth: object[] };
  };
  const recipients = [...record.matchAll(/\*\*Recipients:\*\* (.+)/g)].flatMap(([, names = ""]) => names.split("; "));
  expect(recipients).toEqual(expect.arrayContaining(["Supabase", "Google", "Email providers"]));
  expect(record).toMatch(/## Columns without a purpose\s+None\.$/m);
  expect(pack.retention.deletedByMonth.at(-1)).toMatchObject({ submissions: 5, mails: 7, peopleErased: 1 });
});

it("proves a consent of a hosted project", async () => {
  expect(await print("consent", consentId)).toContain("| Mar 4, 2026, 5:06 AM UTC |");
});

it.each([
  [{ DATABASE_URL: "" }, /^Set DATABASE_URL to the direct connection/],
  [
    { DATABASE_URL: "postgresql://postgres:secret-word@127.0.0.1:1/postgres" },
    /^The database of DATABASE_URL cannot be reached \(ECONNREFUSED\)\. Nothing was written\. .*DATABASE_URL\.$/,
  ],
  [{ SESSION_SECRET: "" }, /^The settings have a mistake:\n- SESSION_SECRET/],
])("fails with a reason for %j", async (changed, reason) => {
  expect(await runPrivacyPack(["--to", await makeDataDir()], { ...environment, ...changed })).toBe(1);
  expect(takeErrors()).toMatch(reason);
});

it("rejects a project that lacks a migration, and says how to proceed", async () => {
  const [newest] = await hosted.sql<{ version: string }>("select public.newest_migration() as version");
  await hosted.exec(reportMigration("20200101000000"), "postgres");
  expect(await runPrivacyPack([], environment)).toBe(1);
  await hosted.exec(reportMigration(newest?.version ?? ""), "postgres");
  expect(takeErrors()).toBe(
    "The database’s migrations differ from this version’s. Run `supabase db push` in this version first.",
  );
});
