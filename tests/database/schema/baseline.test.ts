import { readFile } from "node:fs/promises";
import { afterEach, describe, expect, it } from "vitest";
import { productMigrations } from "#supabase/embedded/migrations.ts";
import { startTestBackend } from "../../embedded/support/start-backend.ts";
import { readMigrationsBeforeBaseline } from "../support/before-baseline.ts";
import { readCatalog } from "../support/catalog.ts";
import { createProject } from "../support/postgres/create-project.ts";
import { startEmbeddedTestBackend } from "../support/embedded-backend.ts";
import type { PostgresDatabase } from "../support/postgres/postgres-database.ts";
import type { TestBackend } from "../support/test-backend.ts";

const old = Object.entries(await readMigrationsBeforeBaseline());
const current = Object.entries(productMigrations).toSorted();
const versionOf = ([file]: [string, string]) => /\d{14}/.exec(file)?.[0] ?? "";

describe("a data folder from before the baseline", () => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });
  const start = async (migrations: Record<string, string>, dataDir?: string) => {
    const backend = await startTestBackend({ migrations, ...(dataDir && { dataDir }) });
    closing.push(backend.remove);
    return backend;
  };

  it("is taken over with what is in it, and then differs in nothing from a new one", async () => {
    const before = await start(Object.fromEntries(old));
    const receive = `
      select submission_id::text as id from public.receive_contact_submission(
        '{"name": "Ada", "email": "ada@example.com", "company": "E", "stage": "S", "goal": "G", "message": "Old WORDS"}',
        repeat('f', 64), null,
        '[{"kind": "firm", "reply_to": "ada@example.com", "subject": "s", "body": "b"},
          {"kind": "acknowledgement", "recipient": "ada@example.com", "subject": "s", "body": "b"}]')`;
    const [{ id } = { id: "" }] = await before.sql<{ id: string }>(receive);
    await before.close();

    const after = await start(productMigrations, before.dataDir);
    const takenOver = { event: "embedded.baseline-taken-over", migrations: 34 };
    expect(after.events).toContainEqual(takenOver);
    const found = `select id::text from public.contact_submissions as submission
      join private.submission_search as search on search.submission_id = submission.id
      where strpos(search.words, 'old words') > 0`;
    expect(await after.sql(found)).toEqual([{ id }]);
    expect(await after.sql("select kind from public.claim_due_mail(10, 60)")).toHaveLength(2);

    const fresh = await startEmbeddedTestBackend();
    closing.push(fresh.close);
    expect(await readCatalog(after)).toEqual(await readCatalog(fresh));
    expect(await readRecord(after)).toEqual(await readRecord(fresh));
    await after.close();

    const again = await start(productMigrations, before.dataDir);
    expect(again.events).not.toContainEqual(takenOver);
  });

  it("is refused when it has not seen all that the baseline replaces, with the way out, which works", async () => {
    const before = await start(Object.fromEntries(old.slice(0, -1)));
    await before.close();
    const { dataDir } = before;
    await expect(startTestBackend({ migrations: productMigrations, dataDir })).rejects.toThrow(
      /is at migration 20261122000160 .* as it was at commit \w{7}, stop it, and start this version/,
    );
    const wayOut = await start(Object.fromEntries(old), dataDir);
    expect((await readRecord(wayOut)).map(({ file }) => file)).toEqual(old.map(([file]) => file));
  });
});

describe("a hosted project from before the baseline", () => {
  it("differs in nothing from a new one after the commands that OPERATIONS gives", async () => {
    const project = await createProject("unmigrated");
    await migrate(project, old);
    const record = await repair(old.map(versionOf));
    // The CLI pushes nothing while the project has seen what it has no file for.
    expect(current.map(versionOf)).toEqual(expect.arrayContaining(record));
    const pending = current.filter((file) => !record.includes(versionOf(file)));
    expect(pending.length).toBeGreaterThan(0);
    await migrate(project, pending);

    const fresh = await createProject();
    expect(await readCatalog(project)).toEqual(await readCatalog(fresh));
  });

  it("is refused by the push when it had not seen all that the baseline replaces", async () => {
    const project = await createProject("unmigrated");
    await migrate(project, old.slice(0, -1));
    const record = await repair(old.map(versionOf));
    const pending = current.filter((file) => !record.includes(versionOf(file)));
    await expect(migrate(project, pending)).rejects.toThrow(/is at migration 20261122000160/);
    expect(await project.sql("select public.newest_migration() as version")).toEqual([{ version: "20261122000160" }]);
  });
});

const readRecord = (backend: Pick<TestBackend, "sql">) =>
  backend.sql<{ file: string }>(
    "select version || '_' || name || '.sql' as file, statements from supabase_migrations.schema_migrations order by 1",
  );

async function migrate(project: PostgresDatabase, migrations: [string, string][]): Promise<void> {
  for (const [, sql] of migrations) await project.exec(sql, "postgres");
}

/** The record of migrations after the commands of OPERATIONS, of which `db push` then runs what is not in it. */
async function repair(recorded: string[]): Promise<string[]> {
  const operations = await readFile("docs/OPERATIONS.md", "utf8");
  const commands = operations.matchAll(/supabase migration repair --status (reverted|applied)((?:\s+\\?\s*\d{14})+)/g);
  const record = new Set(recorded);
  for (const [, status, versions = ""] of commands) {
    for (const version of versions.match(/\d{14}/g) ?? []) {
      if (status === "applied") record.add(version);
      else record.delete(version);
    }
  }
  return [...record].toSorted();
}
