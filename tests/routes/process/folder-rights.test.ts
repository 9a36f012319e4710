import { chmod, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeSiteFolder } from "../../support/site-folder";
import { readText } from "../../support/visitor";
import { openSite, signInAdmin } from "../support/world";

it("closes a data folder at startup that is open to others, with a log line", async () => {
  const dataDir = await makeSiteFolder();
  await chmod(dataDir, 0o755);
  const site = await openSite({}, { dataDir });
  expect(((await stat(dataDir)).mode & 0o777).toString(8)).toBe("700");
  expect(site.output().match(/"data-folder\.closed"/g)).toHaveLength(1);
});

it("serves with a backups folder that cannot be used, and reports it to log and admins", async () => {
  const dataDir = await makeSiteFolder();
  await writeFile(join(dataDir, "backups"), "");
  const site = await openSite({ BACKUP_EVERY: "1d" }, { dataDir, timeouts: { firstBackup: 0 } });
  const expected = /"backups\.failed".*"remedy":"The backups folder \S+\/backups is not a folder \(ENOTDIR\): /;
  await expect.poll(site.output).toMatch(expected);
  const inbox = readText((await (await signInAdmin(site)).get("/admin")).html);
  expect(inbox).toContain("There is no good backup yet.");
});
