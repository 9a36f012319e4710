import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runPrivacyPack } from "~/server/commands/privacy-pack/run-privacy-pack.server";
import { withDatabase } from "#supabase/embedded/operations/read-database.ts";
import { type CommandResult, runCommand } from "../support/commands/admin-command";
import { runInProcess } from "../support/commands/run-in-process";
import { type TestSite, startSite } from "../support/site";
import { makeDataDir, makeSiteFolder } from "../support/site-folder";
import { consentId, fillSite, personalData } from "./support/filled-site";

/** Limit of processor time for a thousand messages. */
const limitMs = 10_000;

const run = (folder: string, ...words: string[]) => runInProcess(() => runPrivacyPack(words, { DATA_DIR: folder }));

let dataDir: string;
beforeAll(async () => {
  dataDir = await makeSiteFolder();
  await withDatabase(join(dataDir, "pg"), fillSite);
});

interface Pack {
  retention: {
    schedule: { kind: string; kept: string }[];
    lastRun: { source: string };
    deletedByMonth: Record<string, string | number>[];
  };
}

async function readPack(folder: string): Promise<{ pack: Pack; record: string; texts: string }> {
  const names = (await readdir(folder)).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return {
    pack: JSON.parse(texts[names.indexOf("privacy-pack.json")] ?? "") as Pack,
    record: texts[names.indexOf("record-of-processing.md")] ?? "",
    texts: texts.join("\n"),
  };
}

// `backups-elsewhere.test.ts` shows that a backup leaves the pack out.
describe("the pack of a stopped site", () => {
  let pack: Pack;
  let record: string;
  let texts: string;
  let result: CommandResult;
  let took: NodeJS.CpuUsage;
  beforeAll(async () => {
    const before = process.cpuUsage();
    result = await run(dataDir);
    took = process.cpuUsage(before);
    ({ pack, record, texts } = await readPack(join(dataDir, "privacy-pack")));
  });

  it("is written to the data folder, and its path is printed", () => {
    expect(result.code).toBe(0);
    expect(result.said).toContain(join(dataDir, "privacy-pack"));
  });

  it(`takes less than ${limitMs / 1000} seconds of a processor for a thousand messages`, () => {
    // Processor time instead of wall time, because a machine that runs all tests is busy.
    expect((took.user + took.system) / 1000).toBeLessThan(limitMs);
  });

  it("contains no personal data", () => {
    for (const text of personalData) expect(texts).not.toContain(text);
  });

  it("has the record with every activity, without Google when it is not used", () => {
    const activities = [...record.matchAll(/^## (.+)/gm)].map(([, name]) => name);
    expect(activities).toContain("Answering messages");
    expect(record).toMatch(/## Columns without a purpose\s+None\.$/m);
    expect(record).not.toMatch(/Google|Supabase|Email providers/);
    expect(record).toContain("2 years after the message arrived");
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
});

describe("the proof of one consent", () => {
  it("contains its decisions and the exact text", async () => {
    const { code, said } = await run(dataDir, "consent", consentId);
    expect(code).toBe(0);
    expect(said).toContain("| Mar 4, 2026, 5:06 AM UTC |");
    expect(said).toContain("May Google Analytics count your visit?");
    const json = JSON.parse((await run(dataDir, "consent", consentId, "--json")).said) as { choices: object[] };
    expect(json.choices).toMatchObject([
      { analytics: true, source: "banner", version: "1.0", decidedAt: "2026-03-04T05:06:07+00:00" },
    ]);
  });

  it("is available for a message, without its text", async () => {
    const { code, said } = await run(dataDir, "consent", "00000000-0000-4000-8000-000000000001");
    expect(code).toBe(0);
    expect(said).toContain("I agree that my details may be used to answer this message");
    for (const text of personalData) expect(said).not.toContain(text);
  });

  it("reports an unknown consent id", async () => {
    const { code, said } = await run(dataDir, "consent", "n".repeat(32));
    expect([code, said]).toEqual([1, expect.stringContaining("There is no consent with this number")]);
  });
});

it.each([
  [["consent", "7"], /A consent number has 32 characters/],
  [["--to", "package.json"], /Cannot write to .*package\.json \(EEXIST\)\. Choose another folder/],
])("fails with a reason for %j", async (words, reason) => {
  const { code, said } = await run(dataDir, ...words);
  expect([code, said]).toEqual([1, expect.stringMatching(reason)]);
});

it("reports a folder without a database", async () => {
  const { code, said } = await run(await makeDataDir());
  expect([code, said]).toEqual([
    1,
    expect.stringMatching(/^There is no database in .* Is DATA_DIR right\? A hosted project needs SUPABASE_URL/),
  ]);
});

describe("the pack of a running site", () => {
  const polling = { timeout: 60_000, interval: 100 };
  let site: TestSite;
  beforeAll(async () => {
    site = await startSite({}, { dataDir, isWarm: true });
  });
  afterAll(() => site.stop());

  it("is written to the given folder, and does not stop the server", async () => {
    const elsewhere = join(await makeDataDir(), "pack");
    const { code } = await runCommand("privacy-pack", ["--to", elsewhere], dataDir);
    const { pack } = await readPack(elsewhere);
    expect([code, pack.retention.deletedByMonth.at(-1)?.peopleErased]).toEqual([0, 1]);
    // The database is busy with the snapshot for a moment.
    await expect.poll(async () => (await fetch(`${site.url}/readyz`)).status, polling).toBe(200);
    // The server removes the snapshot once it notices that the command has disconnected.
    await expect
      .poll(async () => (await readdir(dataDir)).filter((name) => name.startsWith("snapshot-")), polling)
      .toEqual([]);
  });
});
