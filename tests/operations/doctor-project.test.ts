import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { findFreePort } from "../support/free-port";
import { type Product, startProduct } from "../support/product";
import { makeDataDir } from "../support/site-folder";
import { diagnose, lineOf, problemsOf, supplyFacts } from "./support/doctor";
import { type Project, startProject } from "./support/project";

const siteKey = "k".repeat(43);
let project: Project;
let site: Product;
let settings: Record<string, string>;

beforeAll(async () => {
  project = await startProject(siteKey);
  settings = {
    SITE_FACTS: await supplyFacts(),
    SITE_URL: "https://firm.example",
    TRUSTED_PROXIES: "1",
    PORT: String(await findFreePort()),
    METRICS_PORT: String(await findFreePort()),
    SUPABASE_URL: project.url,
    SUPABASE_PUBLISHABLE_KEY: project.hosted.backend.rest.publishableKey,
    SESSION_SECRET: "s".repeat(32),
    SITE_KEY: siteKey,
  };
  const dataDir = await makeDataDir();
  const ofProject = { ADMIN_EMAIL: "", ADMIN_PASSWORD: "", BACKUP_EVERY: "", ACKNOWLEDGEMENTS_PER_HOUR: "" };
  site = await startProduct({ ...settings, ...ofProject }, { dataDir });
  const { error } = await project.hosted.backend.service.rpc("keep_retention", { source: "timer" });
  if (error) throw new Error(error.message);
});
afterAll(async () => {
  await site?.stop();
  await project?.close();
});

it("has facts named that mails do not follow, until they are written", async () => {
  const ofProject = { DATABASE_URL: project.databaseUrl };
  const before = await withChanged(ofProject);
  expect(lineOf(before, "fix", "stored facts")).toMatch(
    /site's SITE_URL, FIRM_NAME, .*TIME_ZONE\. Run .*--write-facts/,
  );
  const diagnosis = await diagnose({ ...settings, ...ofProject }, { args: ["--write-facts"] });
  expect(lineOf(diagnosis, "ok", "stored facts")).toContain("Mails name the facts");
  const moved = await withChanged({ ...ofProject, SITE_URL: "https://other.example", TIME_ZONE: "Europe/Berlin" });
  expect(lineOf(moved, "fix", "stored facts")).toContain("the site's SITE_URL, TIME_ZONE.");
  for (const [changes, said] of [
    [{}, "Set DATABASE_URL"],
    [{ ...ofProject, SITE_URL: "" }, "This machine lacks SITE_URL"],
    [{ DATABASE_URL: "postgresql://postgres:a-word@127.0.0.1:1/postgres" }, "ECONNREFUSED"],
  ] as const) {
    const refused = await diagnose({ ...settings, ...changes }, { args: ["--write-facts"] });
    expect(lineOf(refused, "fix", "stored facts")).toContain(said);
  }
  expect(lineOf(await withChanged({}), "not checked", "stored facts")).toContain("Set DATABASE_URL");
});

/** Runs the command beside the running site, with these variables changed. */
const withChanged = (changes: Record<string, string>) => diagnose({ ...settings, ...changes });

/** Makes all times that the database stores a day older. */
async function passDay(): Promise<void> {
  // As superuser, because the triggers that protect the logs must not run.
  await project.hosted.backend.postgres.exec(`do $do$
    declare
      found record;
    begin
      set local session_replication_role = replica;
      for found in
        select format('update %I.%I set ', columns.table_schema, columns.table_name)
          || string_agg(format('%I = %I - interval $$1 day$$', column_name, column_name), ', ') as statement
        from information_schema.columns join information_schema.tables using (table_schema, table_name)
        where table_schema in ('public', 'private') and table_type = 'BASE TABLE' and is_generated = 'NEVER'
          and data_type = 'timestamp with time zone'
        group by columns.table_schema, columns.table_name
      loop
        execute found.statement;
      end loop;
    end $do$`);
}

/** Waits, because another test may serve functions on all addresses of this machine for a moment. */
const findNothing = () =>
  vi.waitFor(
    async () => {
      const diagnosis = await withChanged({ DATABASE_URL: project.databaseUrl });
      expect(problemsOf(diagnosis)).toEqual([]);
      return diagnosis;
    },
    { timeout: 90_000, interval: 1_000 },
  );

it("finds nothing to do on a sound site with a project", async () => {
  const diagnosis = await findNothing();
  expect(diagnosis.code).toBe(0);
  for (const name of ["server", "database", "project", "migrations", "SITE_KEY", "outbox timer", "retention timer"])
    expect(lineOf(diagnosis, "ok", name)).toContain(`ok ${name}: `);
  expect(
    diagnosis.findings.filter(({ name }) => name.startsWith("function ") && name !== "function secrets"),
  ).toHaveLength(10);
});

it("finds nothing to do on the seven days after", async () => {
  for (let day = 1; day <= 7; day += 1) {
    await passDay();
    const { error } = await project.hosted.backend.service.rpc("keep_retention", { source: "timer" });
    expect(error).toBeNull();
    const diagnosis = await findNothing();
    expect(diagnosis.code).toBe(0);
  }
});

describe("a project", () => {
  it("has each function named that its gateway does not know and answers with an empty 200", async () => {
    const diagnosis = await withChanged({ SUPABASE_URL: project.gappyUrl });
    const missing = ["function record-consent", "function report-counts", "function second-factor"];
    expect(diagnosis.findings.filter(({ verdict }) => verdict === "fix").map(({ name }) => name)).toEqual(missing);
    expect(lineOf(diagnosis, "fix", missing[0] ?? "")).toMatch(/empty 200 .* return 404 for all others/);
    expect(diagnosis.code).toBe(2);
  });

  it("has a refused publishable key named, and a refused SITE_KEY", async () => {
    const wrongKey = await withChanged({ SUPABASE_PUBLISHABLE_KEY: "sb_publishable_other" });
    expect(lineOf(wrongKey, "fix", "project")).toMatch(/rejects SUPABASE_PUBLISHABLE_KEY.*Copy the key/);
    const wrongSecret = await withChanged({ SITE_KEY: "o".repeat(43) });
    expect(lineOf(wrongSecret, "fix", "SITE_KEY")).toMatch(/do not accept it.*Set the functions' secret SITE_KEY/);
    const none = await withChanged({ SITE_KEY: "" });
    expect(lineOf(none, "look at", "settings")).toContain("SITE_KEY is not set");
  });

  it("has a missing migration named", async () => {
    const { sql, exec } = project.hosted.backend.postgres;
    const [newest] = await sql<{ version: string }>("select public.newest_migration() as version");
    const record = "supabase_migrations.schema_migrations";
    const { version = "" } = newest ?? {};
    await exec(`delete from ${record} where version = '${version}'`);
    // The server asks its database once a second.
    const diagnosis = await vi.waitFor(async () => {
      const found = await withChanged({});
      expect(lineOf(found, "fix", "database")).toContain("It lacks a migration");
      return found;
    }, 60_000);
    await exec(`insert into ${record} (version) values ('${version}')`);
    expect(lineOf(diagnosis, "fix", "migrations")).toMatch(
      new RegExp(`lacks ${version}_\\w+\\. Run .supabase db push`),
    );
  });

  it("has timers named that do not run", async () => {
    const { exec } = project.hosted.backend.postgres;
    await exec(`insert into private.email_outbox (kind, subject, body, next_attempt_at, forget_when_delivered)
      values ('digest', 'S', 'B', now() - interval '1 hour', true)`);
    await exec("update private.retention_runs set ran_at = ran_at - interval '5 days'");
    const diagnosis = await withChanged({ DATABASE_URL: project.databaseUrl });
    expect(lineOf(diagnosis, "fix", "outbox timer")).toMatch(/for 60 minutes, untried\. .*step 5/);
    expect(lineOf(diagnosis, "fix", "retention timer")).toMatch(/was 5 days ago\. .*step 6/);
    const unreachable = await withChanged({ DATABASE_URL: "postgresql://postgres:a-word@127.0.0.1:1/postgres" });
    expect(lineOf(unreachable, "not checked", "timers")).toMatch(/ECONNREFUSED/);
    expect(JSON.stringify(unreachable.findings)).not.toContain("a-word");
  });

  it("that does not exist is named with the cause", async () => {
    const diagnosis = await withChanged({ SUPABASE_URL: `http://127.0.0.1:${await findFreePort()}` });
    expect(lineOf(diagnosis, "fix", "project")).toContain("SUPABASE_URL accepts no connections");
  });
});
