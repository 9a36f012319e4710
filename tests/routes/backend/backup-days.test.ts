import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { makeSiteFolder } from "../../support/site-folder";
import { startSite, type TestSite } from "../../support/site";
import { Visitor, readText } from "../../support/visitor";

let product: TestSite | undefined;
afterEach(() => product?.stop());

/** Returns the file name of a backup of this age. */
function nameOf(days: number): string {
  const at = new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString();
  return `backup-${at.replaceAll(/[:.]/g, "-")}.tar.gz`;
}

async function startWithBackups(names: string[]): Promise<string> {
  const dataDir = await makeSiteFolder();
  const folder = join(dataDir, "backups");
  await mkdir(folder);
  for (const name of names) await writeFile(join(folder, name), "");
  product = await startSite({ BACKUP_KEEP_DAYS: "7" }, { dataDir, timeouts: { firstRetention: 0 } });
  return folder;
}

it("deletes expired backups, as the privacy policy says", async () => {
  const [older, old, young] = [nameOf(30), nameOf(8), nameOf(6)];
  const folder = await startWithBackups([older, old, young, "mine.tar.gz"]);
  await expect.poll(() => readdir(folder)).toEqual([young, "erasures.json", "mine.tar.gz"]);
  await expect.poll(() => product?.output()).toContain('"event":"backups.expired","count":2');
  expect(product?.output()).not.toContain("backups.outdated");
  const policy = readText((await new Visitor(product?.url ?? "").get("/privacy-policy")).html);
  expect(policy.replaceAll("\u00a0", " ")).toContain("Backups are deleted after 7 days.");
});

it("keeps the last backup at any age, and logs that another is due", async () => {
  const [older, old] = [nameOf(30), nameOf(8)];
  const folder = await startWithBackups([older, old]);
  await expect.poll(() => product?.output()).toContain('"event":"backups.outdated"');
  expect(await readdir(folder)).toEqual([old, "erasures.json"]);
});
