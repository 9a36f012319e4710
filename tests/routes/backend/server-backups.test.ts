import { mkdir, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeKey } from "#supabase/embedded/backups/encryption";
import { nameBackup } from "#supabase/embedded/backups/expired-backups";
import { makeSigningKey } from "#supabase/embedded/backups/signature";
import { verifyBackup } from "#supabase/embedded/backups/verify";
import { startS3 } from "../../support/servers/s3-server";
import type { RunningSite } from "../../support/product";
import { makeSiteFolder } from "../../support/site-folder";
import { readText } from "../../support/visitor";
import { openSite, signInAdmin } from "../support/world";

/** A site's own backup runs at low priority, so it is slow beside other tests. */
const polling = { timeout: 1_200_000, interval: 100 };
const day = 24 * 60 * 60 * 1000;
const timeouts = { firstBackup: 0 };

const readInbox = async (site: RunningSite) => readText((await (await signInAdmin(site)).get("/admin")).html);

it("reports a failed backup in log and inbox until the next succeeds, verified and private", async () => {
  const dataDir = await makeSiteFolder();
  const folder = join(dataDir, "backups");
  await mkdir(folder);
  const old = nameBackup(new Date(Date.now() - 2 * day).toISOString(), false);
  await writeFile(join(folder, old), "");
  // A file that cannot be copied.
  await symlink("/nowhere", join(dataDir, "strange"));
  const failing = await openSite({ BACKUP_EVERY: "1d" }, { dataDir, timeouts });
  await expect.poll(failing.output, polling).toContain('"event":"backups.failed"');
  expect(failing.output()).toContain(`"newest":"${old}"`);
  expect((await readdir(folder)).filter((name) => name.startsWith("backup"))).toEqual([old]);
  expect(await readInbox(failing)).toMatch(
    /Backups need attention The last backup failed\. The last good one is from \w+ \d/,
  );
  await failing.stop();
  await rm(join(dataDir, "strange"));
  await rm(join(dataDir, "last-failure.json"));
  const site = await openSite({ BACKUP_EVERY: "1d" }, { dataDir, timeouts });
  await expect.poll(site.output, polling).toContain('"event":"backups.made"');
  const name = /"backups\.made","name":"(backup-[^"]+\.tar\.gz)"/.exec(site.output())?.[1] ?? "";
  const listed = [old, name, "erasures.json", "last-backup.json", "last-verified.json"].toSorted();
  await expect.poll(async () => (await readdir(folder)).toSorted(), polling).toEqual(listed);
  expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  expect((await verifyBackup(join(folder, name))).tables.length).toBeGreaterThan(10);
  const inbox = await readInbox(site);
  expect(inbox).toContain("Contact Form Submissions");
  expect(inbox).not.toMatch(/backup/i);
});

it("copies each backup to a bucket, encrypted; reports a failed copy and keeps the backup", async () => {
  const s3 = await startS3("firm-backups");
  const dataDir = await makeSiteFolder();
  const keys = {
    BACKUP_RECIPIENT: (await makeKey()).recipient,
    BACKUP_SIGNING_KEY: makeSigningKey().signingKey,
  };
  const to = { BACKUP_EVERY: "1d", BACKUP_TO: "s3://firm-backups", ...keys, ...s3.settings };
  const soon = { dataDir, timeouts: { ...timeouts, backupCheck: 50 } };
  const refused = await openSite({ ...to, AWS_SECRET_ACCESS_KEY: "another" }, soon);
  await expect.poll(refused.output, polling).toContain('"event":"backups.copy-failed"');
  expect(refused.output()).toContain('"code":"SignatureDoesNotMatch"');
  expect(await readInbox(refused)).toContain("could not be copied");
  await refused.stop();
  await rm(join(dataDir, "last-failure.json"));

  const planted = "backup-2026-01-01T00-00-00-000Z.tar.gz";
  s3.objects.set(planted, Buffer.from(""));
  const site = await openSite(to, soon);
  await expect.poll(site.output, polling).toContain('"event":"backups.copied"');
  expect(site.output()).toContain(`"event":"backups.unencrypted","names":"BACKUP_TO: ${planted}"`);
  expect(site.output()).not.toContain("backups.made");
  const [name] = (await readdir(join(dataDir, "backups"))).filter((each) => each.startsWith("backup-"));
  await expect.poll(() => [...s3.objects.keys()].toSorted()).toEqual([planted, name, "erasures.json.age"]);
  expect(await readInbox(site)).not.toMatch(/backup/i);
  s3.close();
});
