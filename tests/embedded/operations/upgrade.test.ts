import { readFileSync, readdirSync } from "node:fs";
import { basename } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { productMigrations } from "#supabase/embedded/migrations.ts";
import { digestMigrations } from "../../../scripts/released-migrations.mjs";
import { startTestBackend, type TestBackend } from "../support/start-backend.ts";

const folder = "supabase/releases";
const releases = readdirSync(folder).filter((name) => name.endsWith(".sha256"));
const readLines = (release: string) => readFileSync(`${folder}/${release}`, "utf8").trim().split("\n");

describe.each(releases)("the migrations of %s", (release) => {
  it("are what was released", () => {
    expect(digestMigrations().split("\n")).toEqual(expect.arrayContaining(readLines(release)));
  });

  it("come before all later ones", () => {
    const names = digestMigrations().trim().split("\n");
    const released = readLines(release);
    expect(names.slice(0, released.length)).toEqual(released);
  });
});

describe("a database of 0.1.0", () => {
  const names = new Set(readLines("0.1.0.sha256").map((line) => basename(line)));
  const released = Object.fromEntries(Object.entries(productMigrations).filter(([path]) => names.has(basename(path))));
  let backend: TestBackend;
  let stored: Awaited<ReturnType<typeof readRows>>;

  beforeAll(async () => {
    const first = await startTestBackend({ migrations: released });
    await first.sql(readFileSync("tests/embedded/operations/rows-of-0.1.0.sql", "utf8"));
    stored = await readRows(first);
    await first.close();
    const later = { dataDir: first.dataDir, migrations: productMigrations };
    backend = await startTestBackend({ ...later, backUp: () => Promise.resolve() });
  });
  afterAll(() => backend?.remove());

  it("has a row in each table", () => {
    expect(Object.entries(stored).filter(([, rows]) => rows.length === 0)).toEqual([]);
  });

  it("keeps what each row says through all later migrations", async () => {
    const kept = await readRows(backend);
    for (const [table, rows] of Object.entries(stored)) {
      const said = rows.map((row) => expect.objectContaining(row) as object);
      expect([table, kept[table]]).toEqual([table, expect.arrayContaining(said)]);
    }
  });
});

/** Reads all rows, by table. */
async function readRows(backend: Pick<TestBackend, "sql">): Promise<Record<string, object[]>> {
  const tables = await backend.sql<{ name: string }>(
    "select schemaname || '.' || tablename as name from pg_tables where schemaname in ('public', 'private')",
  );
  const rows: Record<string, object[]> = {};
  for (const { name } of tables) {
    const found = await backend.sql<{ row: object }>(`select to_jsonb(stored) as row from ${name} as stored`);
    rows[name] = found.map(({ row }) => row);
  }
  return rows;
}
