import { mkdir, readdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { makeBackup } from "#supabase/embedded/backups/backup";
import { nameBackup } from "#supabase/embedded/backups/expired-backups";
import { withDatabaseOf } from "../../support/find-text";
import type { TestSite } from "../../support/site";
import { makeSiteFolder } from "../../support/site-folder";
import { readText } from "../../support/visitor";
import { sendMessageAs } from "../support/erasure";
import { openSite, signInAdmin } from "../support/world";

const dayMs = 24 * 60 * 60 * 1000;
const timeouts = { firstRetention: 0 };

/**
 * Makes a folder with an old message and backups, all past their retention period by the current clock, which retention
 * has just seen.
 */
async function makeOldFolder(): Promise<string> {
  const dataDir = await makeSiteFolder();
  const before = await openSite({}, { dataDir, timeouts });
  await expect.poll(() => before.output()).toContain('"event":"retention.kept"');
  await sendMessageAs(before, "old@visitor.example");
  await before.stop();
  await withDatabaseOf(dataDir, (sql) =>
    sql("update public.contact_submissions set created_at = now() - interval '3 years' returning 1 as ok"),
  );
  await mkdir(join(dataDir, "backups"), { recursive: true });
  for (const days of [40, 50]) await writeFile(join(dataDir, "backups", nameOf(days)), "");
  return dataDir;
}

const nameOf = (days: number) => nameBackup(new Date(Date.now() - days * dayMs).toISOString(), false);

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

async function listBackups(dataDir: string): Promise<string[]> {
  return (await readdir(join(dataDir, "backups"))).filter((name) => name.startsWith("backup-"));
}

it("pauses deletion for a day after a clock jump, and notifies the admin and the log", async () => {
  const dataDir = await makeOldFolder();
  const backups = await listBackups(dataDir);
  await passDays(dataDir, 15);
  const doubting = await openSite({}, { dataDir, timeouts });
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
  const site = await openSite({}, { dataDir, timeouts });
  await expect.poll(site.output).toContain('"event":"retention.kept"');
  await expect.poll(() => listBackups(dataDir)).toEqual([basename(made.file)]);
  expect(await readInbox(site)).not.toMatch(/old@visitor\.example|The server’s clock went back/);
});

it("deletes expired backups except the last one, and logs that another is due", async () => {
  const dataDir = await makeSiteFolder();
  const folder = join(dataDir, "backups");
  await mkdir(folder);
  const [older, old] = [nameOf(30), nameOf(8)];
  for (const name of [older, old, "mine.tar.gz"]) await writeFile(join(folder, name), "");
  const site = await openSite({ BACKUP_KEEP_DAYS: "7" }, { dataDir, timeouts });
  await expect.poll(() => readdir(folder)).toEqual([old, "erasures.json", "mine.tar.gz"]);
  await expect.poll(site.output).toContain('"event":"backups.expired","count":1');
  await expect.poll(site.output).toContain('"event":"backups.outdated"');
});

async function readInbox(site: TestSite): Promise<string> {
  return readText((await (await signInAdmin(site)).get("/admin?filter=all")).html);
}
