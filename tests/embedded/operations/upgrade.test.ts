import { readFileSync, readdirSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { productMigrations } from "#supabase/embedded/migrations.ts";
import { digestMigrations } from "../../../scripts/released-migrations.mjs";
import { startTestBackend, type TestBackend } from "../support/start-backend.ts";

const folder = "supabase/releases";
const releases = readdirSync(folder).filter((name) => name.endsWith(".sha256"));
const readLines = (release: string) => readFileSync(`${folder}/${release}`, "utf8").trim().split("\n");

describe.each(releases)("the migrations of %s", (release) => {
  it("are what was released, and come before all later ones", () => {
    const released = readLines(release);
    expect(digestMigrations().trim().split("\n").slice(0, released.length)).toEqual(released);
  });
});

it("a database of 0.1.0 keeps what each row says through all later migrations", async () => {
  const names = new Set(readLines("0.1.0.sha256").map((line) => basename(line)));
  const released = Object.fromEntries(Object.entries(productMigrations).filter(([path]) => names.has(basename(path))));
  const first = await startTestBackend({ migrations: released });
  await first.sql(readFileSync("tests/embedded/operations/rows-of-0.1.0.sql", "utf8"));
  const stored = await readRows(first);
  await first.close();
  const later = { dataDir: first.dataDir, migrations: productMigrations, backUp: () => Promise.resolve() };
  const backend = await startTestBackend(later);
  const kept = await readRows(backend);
  await backend.close();
  for (const [table, rows] of Object.entries(stored)) {
    expect([table, rows]).not.toEqual([table, []]);
    const said = rows.map((row) => expect.objectContaining(row) as object);
    expect([table, kept[table]]).toEqual([table, expect.arrayContaining(said)]);
  }
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
