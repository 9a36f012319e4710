import { chmod, mkdtemp, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { startProduct, testAdmin } from "../../support/product";
import { makeSiteFolder } from "../../support/site-folder";
import { Visitor, readText } from "../../support/visitor";
import { openSite, signInAdmin } from "../support/world";

it("reports missing and unused settings of a public site, at startup and on /admin", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "settings-"));
  for (const name of ["bin", "build", "public"]) await symlink(resolve(name), join(cwd, name));
  await writeFile(join(cwd, ".env"), "SITE_URL=http://firm.example\nFOO=secret-1\nSMTP_PASS=secret-2\n");
  const product = await startProduct({ TRUSTED_PROXY: "1" }, { cwd });
  const events = [...product.output().matchAll(/"level":"warn","event":"(setup\.[\w-]+)"/g)].map(([, event]) => event);
  expect(events.toSorted()).toEqual(["setup.no-https", "setup.no-mail-server", "setup.settings-unread"]);

  const visitor = new Visitor(product.url);
  expect((await visitor.post("/login", testAdmin, { Origin: "http://firm.example" })).status).toBe(303);
  const page = readText((await visitor.get("/admin")).html);
  expect(page.match(/Check the setup of this site/g)).toHaveLength(1);
  expect(page).toContain("No mail server is set (SMTP_URL or RESEND_API_KEY).");
  expect(page).toContain("SITE_URL begins with http://.");
  expect(page).toContain("FOO on line 2 of .env and SMTP_PASS on line 3 of .env are set but not used.");
  expect(product.output() + page).not.toContain("secret-");
  await product.stop();
});

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
