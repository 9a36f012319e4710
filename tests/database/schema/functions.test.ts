import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";

async function readAll(folder: string, isWanted: RegExp): Promise<string> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => isWanted.test(name));
  const files = names.toSorted().map((name) => readFile(join(folder, name), "utf8"));
  return (await Promise.all(files)).join("\n");
}

const nameOf = (statement: string) => /^create function \w+\.(\w+)/.exec(statement)?.[1];

/**
 * Splits the migrations into statements. A statement begins at the start of a line; its other lines are indented or
 * begin with another word.
 */
async function readStatements(): Promise<string[]> {
  const migrations = (await readAll("supabase/migrations", /\.sql$/)).replaceAll(/--.*/g, "");
  return migrations.split(/\n(?=(?:alter|comment|create|delete|do|drop|grant|insert|revoke|select|update)\b)/);
}

// PostgreSQL itself rejects a second definition. From 0.1.0 on, this test applies to the files of the baseline only.
it("migrations define every object once, in its final form", async () => {
  const changes = /^(?:create or replace|drop|update|delete|alter table \S+\s+(?!enable row level security;))/;
  expect((await readStatements()).filter((statement) => changes.test(statement))).toEqual([]);
});

it("migrations define only functions that something calls", async () => {
  const isCode = /(?<!\.test)\.(?:tsx?|mjs|cjs|sql)$/;
  const code = await Promise.all(
    ["app", "bin", "supabase/functions", "supabase/embedded"].map((folder) => readAll(folder, isCode)),
  );
  const statements = (await readStatements()).filter((statement) => !/^(?:comment|grant|revoke)/.test(statement));
  const functions = statements.map(nameOf).filter((name) => name !== undefined);
  expect(functions.length).toBeGreaterThan(100);
  const uncalled = functions.filter((name) => {
    const call = new RegExp(`\\b${name}\\b`);
    // In its own body a function's name qualifies its parameters.
    const others = statements.filter((statement) => nameOf(statement) !== name);
    return ![...code, ...others].some((text) => call.test(text));
  });
  expect(uncalled).toEqual([]);
});
