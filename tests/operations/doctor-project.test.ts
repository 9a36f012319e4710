import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { findFreePort } from "../support/free-port";
import { type Product, startProduct } from "../support/product";
import { makeDataDir } from "../support/site-folder";
import { answerJson, startStubProject } from "../routes/support/stub-project";
import { type Fault, cause, diagnose, printed, problemsOf, supplyFacts } from "./support/doctor";
import { type Project, settingsOf, startProject } from "./support/project";

let project: Project;
let site: Product;
let settings: Record<string, string>;
let database: { DATABASE_URL: string };
const unreachable = { DATABASE_URL: "postgresql://postgres:a-word@127.0.0.1:1/postgres" };

beforeAll(async () => {
  project = await startProject();
  database = { DATABASE_URL: project.databaseUrl };
  settings = {
    ...settingsOf(project),
    SITE_FACTS: await supplyFacts(),
    SITE_URL: "https://firm.example",
    TRUSTED_PROXIES: "1",
    PORT: String(await findFreePort()),
    METRICS_PORT: String(await findFreePort()),
  };
  site = await startProduct(settings, { dataDir: await makeDataDir() });
  await project.hosted.backend.service.rpc("keep_retention", { source: "timer" }).throwOnError();
});
afterAll(async () => {
  await site?.stop();
  await project?.close();
});

/** Runs the command beside the running site, with these variables changed. */
async function withChanged(changes: Record<string, string>, ...args: string[]): Promise<string[]> {
  const lines = await diagnose({ ...settings, ...changes }, { args });
  expect(lines.join()).not.toContain("a-word");
  return lines;
}

it("names facts that mails do not follow, until they are written", async () => {
  const differ = "fix stored facts: …site's SITE_URL, FIRM_NAME, …TIME_ZONE. Run …--write-facts";
  expect(await withChanged(database)).toEqual(printed(differ));
  expect(await withChanged(database, "--write-facts")).toEqual(printed("ok stored facts: Mails name the facts"));
  const moved = { ...database, SITE_URL: "https://other.example", TIME_ZONE: "Europe/Berlin" };
  expect(await withChanged(moved)).toEqual(printed("fix stored facts: …the site's SITE_URL, TIME_ZONE."));
});

it.each<[lack: string, () => Record<string, string>, line: string]>([
  ["a database", () => ({}), "Set DATABASE_URL"],
  ["SITE_URL", () => ({ ...database, SITE_URL: "" }), "This machine lacks SITE_URL"],
  ["a database that responds", () => unreachable, "ECONNREFUSED"],
])("writes no facts without %s", async (_lack, changes, line) => {
  expect(await withChanged(changes(), "--write-facts")).toEqual(printed(`fix stored facts: …${line}`));
});

it("finds nothing to do on a sound site with a project", async () => {
  // Another test may serve functions on all addresses of this machine for a moment.
  const lines = await vi.waitFor(
    async () => {
      const found = await withChanged(database);
      expect(problemsOf(found)).toEqual([]);
      return found;
    },
    { timeout: 90_000, interval: 1_000 },
  );
  const names = ["server", "database", "project", "migrations", "SITE_KEY", "outbox timer", "retention timer"];
  expect(lines).toEqual(printed(...names.map((name) => `ok ${name}: `)));
  expect(lines.filter((line) => /^ok function (?!secrets)/.test(line))).toHaveLength(10);
});

/** Has a mail wait untried for an hour, and the last retention run five days. */
async function stopTimers(): Promise<Record<string, string>> {
  const { exec } = project.hosted.backend.postgres;
  await exec(`insert into private.email_outbox (kind, subject, body, next_attempt_at, forget_when_delivered)
    values ('digest', 'S', 'B', now() - interval '1 hour', true)`);
  await exec("update private.retention_runs set ran_at = ran_at - interval '5 days'");
  return database;
}

const faults: Fault[] = [
  ["fix project: …rejects SUPABASE_PUBLISHABLE_KEY…Copy the key", { SUPABASE_PUBLISHABLE_KEY: "sb_publishable_other" }],
  ["fix SITE_KEY: …do not accept it…Set the functions' secret SITE_KEY", { SITE_KEY: "o".repeat(43) }],
  ["look at settings: …SITE_KEY is not set", { SITE_KEY: "" }],
  [
    "fix project: …SUPABASE_URL accepts no connections",
    async () => ({ SUPABASE_URL: `http://127.0.0.1:${await findFreePort()}` }),
  ],
  ["not checked stored facts: …Set DATABASE_URL", {}],
  ["not checked timers: …ECONNREFUSED", unreachable],
  ["fix outbox timer: …for 60 minutes, untried. …step 5", stopTimers, "fix retention timer: …was 5 days ago. …step 6"],
];

it.each(faults)("prints “%s”", async (line, given, ...more) => {
  expect(await withChanged(await cause(given))).toEqual(printed(line, ...more));
});

it("names each function that the gateway does not know and answers with an empty 200", async () => {
  const lines = await withChanged({ SUPABASE_URL: project.gappyUrl });
  const missing = lines.filter((line) => line.startsWith("fix "));
  expect(missing.map((line) => line.split(":")[0])).toEqual(
    ["record-consent", "report-counts", "second-factor"].map((name) => `fix function ${name}`),
  );
  expect(missing[0]).toMatch(/empty 200 .* return 404 for all others/);
});

it.each([
  ["ok authentication: ", { disable_signup: true, external: { email: true, phone: false } }],
  ["fix authentication: Anyone can sign up.", { disable_signup: false, external: { email: true } }],
  [
    "fix authentication: …by google, phone. Switch …",
    { disable_signup: true, external: { email: true, google: true, phone: true } },
  ],
  ["not checked authentication: ", null],
])("prints “%s” about the authentication service's settings", async (line, body) => {
  const stub = await startStubProject(answerJson(200, body));
  onTestFinished(() => stub.close());
  expect(await withChanged({ SUPABASE_URL: stub.settings.SUPABASE_URL ?? "" })).toEqual(printed(line));
});

it("names a missing migration", async () => {
  const { sql, exec } = project.hosted.backend.postgres;
  const [newest] = await sql<{ version: string }>("select public.newest_migration() as version");
  const record = "supabase_migrations.schema_migrations";
  const { version = "" } = newest ?? {};
  await exec(`delete from ${record} where version = '${version}'`);
  // The server asks its database once a second.
  const lines = await vi.waitFor(async () => {
    const found = await withChanged({});
    expect(found).toEqual(printed("fix database: …It lacks a migration"));
    return found;
  }, 60_000);
  await exec(`insert into ${record} (version) values ('${version}')`);
  expect(lines).toEqual(printed(`fix migrations: …lacks ${version}_…. Run \`supabase db push`));
});
