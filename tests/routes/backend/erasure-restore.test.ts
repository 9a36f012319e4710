import { copyFile, mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { runOperation } from "#supabase/embedded/operations/run-operation";
import { runInProcess } from "../../support/commands/run-in-process";
import { readRequestLinks } from "../../support/data-rights";
import { findMailFilesWith, findTablesWith, withDatabaseOf } from "../../support/find-text";
import { makeDataDir } from "../../support/product";
import { startSite } from "../../support/site";
import { confirmRequest, erasePerson, requestErasureAs, sendMessageAs } from "../support/erasure";

const email = "person@restore.example";
const other = "other@restore.example";
/** the site's folder, and its folder of backups with a hot backup from before the erasure */
let original: string;
let backups: string;
let backup: string;

const run = (dataDir: string, command: "backup" | "restore", words: string[] = []) =>
  runInProcess(() => runOperation(command, words, { DATA_DIR: dataDir }));

beforeAll(async () => {
  const site = await startSite({}, { own: true });
  original = site.dataDir;
  await requestErasureAs(site, email);
  await confirmRequest(site, (await readRequestLinks(original, email)).confirm);
  await sendMessageAs(site, email);
  await sendMessageAs(site, other);
  const areSent = async () =>
    (await findMailFilesWith(original, email)).length === 3 && (await findMailFilesWith(original, other)).length === 2;
  await vi.waitUntil(areSent, { timeout: 60_000 });
  // As an operator's timer makes it.
  await run(original, "backup");
  await erasePerson(site);
  await site.stop();
  backups = join(original, "backups");
  backup = (await readdir(backups)).find((name) => name.endsWith(".tar.gz")) ?? "";
});

const findPerson = (dataDir: string, address = email) => withDatabaseOf(dataDir, (sql) => findTablesWith(sql, address));

/** A folder with the backup on a new machine, and its data folder. */
let from: string;
let dataDir: string;
beforeEach(async () => {
  [from, dataDir] = [await makeDataDir(), await makeDataDir()];
  await copyFile(join(backups, backup), join(from, backup));
});
const restore = (...words: string[]) => run(dataDir, "restore", [join(from, backup), ...words]);

it("erases again on the same machine, in rows and mail files, and keeps others' data", async () => {
  const { code, said } = await run(original, "restore", [join(backups, backup), "--replace"]);
  expect([code, said]).toEqual([
    0,
    expect.stringMatching(/1 person was erased again: the list of erasures is complete until 20/),
  ]);
  expect(await findMailFilesWith(original, email)).toEqual([]);
  expect(await findPerson(original)).toEqual([]);
  expect(await findPerson(original, other)).not.toEqual([]);
  expect(await findMailFilesWith(original, other)).toHaveLength(2);
});

it("erases again on a new machine with the list beside the backup, and keeps that list", async () => {
  await copyFile(join(backups, "erasures.json"), join(from, "erasures.json"));
  expect(await restore()).toMatchObject({ code: 0, said: expect.stringContaining("1 person was erased again") });
  expect(await findPerson(dataDir)).toEqual([]);
  expect(await findMailFilesWith(dataDir, email)).toEqual([]);
  const list = await readFile(join(dataDir, "backups", "erasures.json"), "utf8");
  expect(list).toContain('"reference": "DR-');
  expect(list).not.toContain("restore.example");
});

it("is refused without a list, with instructions, and leaves the folder empty", async () => {
  const { code, said } = await restore();
  expect(code).toBe(1);
  for (const words of [
    "There is no list of erasures since this backup:",
    join(from, "erasures.json"),
    "Put the newest erasures.json beside the backup",
    "--without-erasures",
  ])
    expect(said).toContain(words);
  expect((await readdir(dataDir)).filter((name) => !name.startsWith("lock."))).toEqual([]);
});

it.each([
  ["damaged", '{"format":1,"erasures":', "cannot be read"],
  ["older than the backup", '{"format":1,"completeUntil":"2020-01-01T00:00:00.000Z","erasures":[]}', "is newer"],
])("is refused when the list is %s", async (_, content, reason) => {
  await writeFile(join(from, "erasures.json"), content);
  expect(await restore()).toMatchObject({ code: 1, said: expect.stringContaining(reason) });
});

it("works without a list at the operator's explicit request, and states the consequence", async () => {
  await mkdir(join(dataDir, "backups"));
  const { code, said } = await restore("--without-erasures");
  const words = "There was no list of erasures. People who were erased since are back: erase them again.";
  expect([code, said]).toEqual([0, expect.stringContaining(words)]);
  expect((await findPerson(dataDir)).length).toBeGreaterThan(0);
});
