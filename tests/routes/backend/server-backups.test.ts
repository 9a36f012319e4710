import { mkdir, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { makeBackup } from "#supabase/embedded/backups/backup";
import { makeKey } from "#supabase/embedded/backups/encryption";
import { nameBackup } from "#supabase/embedded/backups/expired-backups";
import { makeSigningKey } from "#supabase/embedded/backups/signature";
import { verifyBackup } from "#supabase/embedded/backups/verify";
import { withDatabaseOf } from "../../support/find-text";
import { startS3 } from "../../support/servers/s3-server";
import type { RunningSite } from "../../support/product";
import { makeSiteFolder } from "../../support/site-folder";
import { readText } from "../../support/visitor";
import { sendMessageAs } from "../support/erasure";
import { openSite, signInAdmin } from "../support/world";

/** A site's own backup runs at low priority, so it is slow beside other tests. */
const polling = { timeout: 1_200_000, interval: 100 };
const day = 24 * 60 * 60 * 1000;
const timeouts = { firstBackup: 0 };
/** Runs the first retention at once. */
const atOnce = { firstRetention: 0 };

const nameOf = (days: number) => nameBackup(new Date(Date.now() - days * day).toISOString(), false);

/** Writes empty backups with these names. @returns the folder of backups */
async function writeBackups(dataDir: string, ...names: string[]): Promise<string> {
  const folder = join(dataDir, "backups");
  await mkdir(folder, { recursive: true });
  for (const name of names) await writeFile(join(folder, name), "");
  return folder;
}

const listBackups = async (dataDir: string) =>
  (await readdir(join(dataDir, "backups"))).filter((name) => name.startsWith("backup-"));

const readInbox = async (site: RunningSite) =>
  readText((await (await signInAdmin(site)).get("/admin?filter=all")).html);

it("reports a failed backup in log and inbox until the next succeeds, verified and private", async () => {
  const dataDir = await makeSiteFolder();
  const old = nameOf(2);
  const folder = await writeBackups(dataDir, old);
  // A file that cannot be copied.
  await symlink("/nowhere", join(dataDir, "strange"));
  const failing = await openSite({ BACKUP_EVERY: "1d" }, { dataDir, timeouts });
  await expect.poll(failing.output, polling).toContain('"event":"backups.failed"');
  expect(failing.output()).toContain(`"newest":"${old}"`);
  expect(await listBackups(dataDir)).toEqual([old]);
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
  const [name] = await listBackups(dataDir);
  await expect.poll(() => [...s3.objects.keys()].toSorted()).toEqual([planted, name, "erasures.json.age"]);
  expect(await readInbox(site)).not.toMatch(/backup/i);
  s3.close();
});

/**
 * Makes a folder with an old message and backups, all past their retention period by the current clock, which retention
 * has just seen.
 */
async function makeOldFolder(): Promise<string> {
  const dataDir = await makeSiteFolder();
  const before = await openSite({}, { dataDir, timeouts: atOnce });
  await expect.poll(() => before.output()).toContain('"event":"retention.kept"');
  await sendMessageAs(before, "old@visitor.example");
  await before.stop();
  await withDatabaseOf(dataDir, (sql) =>
    sql("update public.contact_submissions set created_at = now() - interval '3 years' returning 1 as ok"),
  );
  await writeBackups(dataDir, nameOf(40), nameOf(50));
  return dataDir;
}

/** Shifts the last clock reading of retention into the past, so that these days seem to have passed on a stopped site. */
async function passDays(dataDir: string, days: number): Promise<void> {
  const rows = await withDatabaseOf(dataDir, (sql) =>
    sql(
      `update private.retention_clock set seen_at = seen_at - $1::float * interval '1 day',
         doubted_since = doubted_since - $1::float * interval '1 day' returning 1 as ok`,
      [days],
    ),
  );
  expect(rows).toHaveLength(1);
}

it("pauses deletion for a day after a clock jump, and notifies the admin and the log", async () => {
  const dataDir = await makeOldFolder();
  const backups = await listBackups(dataDir);
  await passDays(dataDir, 15);
  const doubting = await openSite({}, { dataDir, timeouts: atOnce });
  await expect.poll(doubting.output).toContain('"level":"error","event":"retention.waits"');
  const page = await readInbox(doubting);
  expect(page).toContain("old@visitor.example");
  expect(page).toContain("The server’s clock went back, or jumped ahead by more than two weeks.");
  expect(page).not.toContain("Data is kept longer than the privacy policy says");
  expect(doubting.output()).not.toMatch(/retention\.(kept|late)|backups\.expired/);
  await doubting.stop();
  expect(await listBackups(dataDir)).toEqual(backups);
  // Backups by the operator delete nothing either.
  const made = await makeBackup(dataDir);
  expect([made.expired, made.isClockDoubted]).toEqual([[], true]);
  expect(await listBackups(dataDir)).toHaveLength(3);

  // A day later the clock still agrees: it was right.
  await passDays(dataDir, 1);
  const site = await openSite({}, { dataDir, timeouts: atOnce });
  await expect.poll(site.output).toContain('"event":"retention.kept"');
  await expect.poll(() => listBackups(dataDir)).toEqual([basename(made.file)]);
  expect(await readInbox(site)).not.toMatch(/old@visitor\.example|The server’s clock went back/);
});

it("deletes expired backups except the last one, and logs that another is due", async () => {
  const dataDir = await makeSiteFolder();
  const old = nameOf(8);
  const folder = await writeBackups(dataDir, nameOf(30), old, "mine.tar.gz");
  const site = await openSite({ BACKUP_KEEP_DAYS: "7" }, { dataDir, timeouts: atOnce });
  await expect.poll(() => readdir(folder)).toEqual([old, "erasures.json", "mine.tar.gz"]);
  await expect.poll(site.output).toContain('"event":"backups.expired","count":1');
  await expect.poll(site.output).toContain('"event":"backups.outdated"');
});
