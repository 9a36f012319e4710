import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientOf } from "./support/client.ts";
import { makeFolder, startTestBackend } from "./support/start-backend.ts";

const first = { "1_first.sql": "create table public.first (id int);" };

/** What the REST API says when nobody has told it of a table. */
const unknown = "PGRST205";

describe("what the REST API has read of the catalog", () => {
  let dataDir: string;
  beforeAll(async () => void (dataDir = await makeFolder()));
  afterAll(() => rm(dataDir, { recursive: true }));

  /** One start: what it says of these tables (null: they are there), and then this statement. */
  async function start(migrations: Record<string, string>, tables: string[], statement?: string) {
    const backend = await startTestBackend({ dataDir, migrations });
    const answers = await Promise.all(tables.map((table) => clientOf(backend, backend.secretKey).from(table).select()));
    if (statement !== undefined) await backend.sql(statement);
    await backend.close();
    return answers.map(({ error }) => error?.code ?? null);
  }

  it("is kept for the next start, which does not read it again", async () => {
    const forgetFirst = `update embedded.schema_cache set content = replace(content, '"first"', '"other"')`;
    expect(await start(first, ["first"], forgetFirst)).toEqual([null]);
    expect(await start(first, ["first"])).toEqual([unknown]);
  });

  it("is read again by a version with other migrations", async () => {
    const second = { ...first, "2_second.sql": "create table public.second (id int);" };
    expect(await start(second, ["first", "second"])).toEqual([null, null]);
  });

  it("is read again after an operator has changed the schema", async () => {
    expect(await start(first, ["second"], "create table public.third (id int)")).toEqual([null]);
    expect(await start(first, ["third"])).toEqual([null]);
  });
});
