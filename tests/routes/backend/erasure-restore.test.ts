import { copyFile, mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { runOperation } from "#supabase/embedded/operations/run-operation";
import { readRequestLinks } from "../../support/data-rights";
import { findMailFilesWith, findTablesWith, withDatabaseOf } from "../../support/find-text";
import { makeDataDir } from "../../support/product";
import { startSite, type TestSite } from "../../support/site";
import { confirmRequest, erasePerson, requestErasureAs, sendMessageAs } from "../support/erasure";

const email = "person@restore.example";
const other = "other@restore.example";
let site: TestSite;
let backups: string;
let backup: string;

beforeAll(async () => {
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  site = await startSite({}, { own: true });
  await requestErasureAs(site, email);
  await confirmRequest(site, (await readRequestLinks(site.dataDir, email)).confirm);
  await sendMessageAs(site, email);
  await sendMessageAs(site, other);
  const areSent = async () =>
    (await findMailFilesWith(site.dataDir, email)).length === 3 &&
    (await findMailFilesWith(site.dataDir, other)).length === 2;
  await vi.waitUntil(areSent, { timeout: 60_000 });
  // A hot backup, as an operator's timer makes it.
  await runOperation("backup", [], { DATA_DIR: site.dataDir });
  await erasePerson(site);
  await site.stop();
  backups = join(site.dataDir, "backups");
  backup = (await readdir(backups)).find((name) => name.endsWith(".tar.gz")) ?? "";
});
afterAll(() => void vi.mocked(console.log).mockRestore());
beforeEach(() => void vi.mocked(console.log).mockClear());

/** Reads the output of the last successful command. */
const readOutput = () => vi.mocked(console.log).mock.calls.join("\n");

/** Reads the output of the last failed command. */
function readErrors(): string {
  const text = vi.mocked(console.error).mock.calls.join("\n");
  vi.mocked(console.error).mockClear();
  return text;
}

const findPerson = (dataDir: string, address = email) => withDatabaseOf(dataDir, (sql) => findTablesWith(sql, address));

describe("restoring a backup from before an erasure", () => {
  it("erases again on the same machine, in rows and mail files, and keeps others' data", async () => {
    expect(await runOperation("restore", [join(backups, backup), "--replace"], { DATA_DIR: site.dataDir })).toBe(0);
    expect(readOutput()).toMatch(/1 person was erased again: the list of erasures is complete until 20/);
    expect(await findMailFilesWith(site.dataDir, email)).toEqual([]);
    expect(await findPerson(site.dataDir)).toEqual([]);

    expect(await findPerson(site.dataDir, other)).not.toEqual([]);
    expect(await findMailFilesWith(site.dataDir, other)).toHaveLength(2);
  });

  it("erases again on a new machine with the list beside the backup, and keeps that list", async () => {
    const [from, dataDir] = [await makeDataDir(), await makeDataDir()];
    for (const name of [backup, "erasures.json"]) await copyFile(join(backups, name), join(from, name));
    expect(await runOperation("restore", [join(from, backup)], { DATA_DIR: dataDir })).toBe(0);
    expect(readOutput()).toContain("1 person was erased again");
    expect(await findPerson(dataDir)).toEqual([]);
    expect(await findMailFilesWith(dataDir, email)).toEqual([]);
    const list = await readFile(join(dataDir, "backups", "erasures.json"), "utf8");
    expect(list).toContain('"reference": "DR-');
    expect(list).not.toContain("restore.example");
  });

  describe("without a trustworthy list", () => {
    let from: string;
    let dataDir: string;
    beforeEach(async () => {
      [from, dataDir] = [await makeDataDir(), await makeDataDir()];
      await copyFile(join(backups, backup), join(from, backup));
    });
    afterEach(() => void vi.mocked(console.error).mockClear());

    const restore = (...words: string[]) =>
      runOperation("restore", [join(from, backup), ...words], { DATA_DIR: dataDir });

    it("is refused with instructions, and leaves the folder empty", async () => {
      expect(await restore()).toBe(1);
      const text = readErrors();
      expect(text).toContain("There is no list of erasures since this backup:");
      expect(text).toContain(join(from, "erasures.json"));
      expect(text).toContain("Put the newest erasures.json beside the backup");
      expect(text).toContain("--without-erasures");
      expect((await readdir(dataDir)).filter((name) => !name.startsWith("lock."))).toEqual([]);
    });

    it.each([
      ["damaged", '{"format":1,"erasures":', "cannot be read"],
      ["older than the backup", '{"format":1,"completeUntil":"2020-01-01T00:00:00.000Z","erasures":[]}', "is newer"],
    ])("is refused when the list is %s", async (_, content, reason) => {
      await writeFile(join(from, "erasures.json"), content);
      expect(await restore()).toBe(1);
      expect(readErrors()).toContain(reason);
    });

    it("works at the operator's explicit request, and states the consequence", async () => {
      await mkdir(join(dataDir, "backups"));
      expect(await restore("--without-erasures")).toBe(0);
      expect(readOutput()).toContain(
        "There was no list of erasures. People who were erased since are back: erase them again.",
      );
      expect((await findPerson(dataDir)).length).toBeGreaterThan(0);
    });
  });
});
