import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeSiteFolder } from "../../support/site-folder";
import { Visitor, readText } from "../../support/visitor";
import { openSite } from "../support/world";

/** Returns the file name of a backup of this age. */
function nameOf(days: number): string {
  const at = new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString();
  return `backup-${at.replaceAll(/[:.]/g, "-")}.tar.gz`;
}

it("deletes expired backups except the last one, and logs that another is due", async () => {
  const dataDir = await makeSiteFolder();
  const folder = join(dataDir, "backups");
  await mkdir(folder);
  const [older, old] = [nameOf(30), nameOf(8)];
  for (const name of [older, old, "mine.tar.gz"]) await writeFile(join(folder, name), "");
  const site = await openSite({ BACKUP_KEEP_DAYS: "7" }, { dataDir, timeouts: { firstRetention: 0 } });
  await expect.poll(() => readdir(folder)).toEqual([old, "erasures.json", "mine.tar.gz"]);
  await expect.poll(site.output).toContain('"event":"backups.expired","count":1');
  await expect.poll(site.output).toContain('"event":"backups.outdated"');
  const policy = readText((await new Visitor(site.url).get("/privacy-policy")).html);
  expect(policy.replaceAll("\u00a0", " ")).toContain("Backups are deleted after 7 days.");
});
