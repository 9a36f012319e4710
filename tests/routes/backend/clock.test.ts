import { mkdir, readdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { makeBackup } from "#supabase/embedded/backups/backup";
import { withDatabaseOf } from "../../support/find-text";
import { startSite, type TestSite } from "../../support/site";
import { makeSiteFolder } from "../../support/site-folder";
import { Visitor, readText } from "../../support/visitor";
import { sendMessageAs } from "../support/erasure";

let site: TestSite | undefined;
afterEach(() => site?.stop());

const dayMs = 24 * 60 * 60 * 1000;
const timeouts = { firstRetention: 0 };

/**
 * Makes a folder with an old message and backups, all past their retention period by the current clock, which retention
 * has just seen.
 */
async function makeOldFolder(): Promise<string> {
  const dataDir = await makeSiteFolder();
  const before = await startSite({}, { dataDir, timeouts });
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

function nameOf(days: number): string {
  return `backup-${daysAgo(days).replaceAll(/[:.]/g, "-")}.tar.gz`;
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * dayMs).toISOString();
}

/**
 * Shifts the last clock reading of retention into the past, so that these days seem to have passed on a stopped site. A
 * negative number sets the clock back.
 */
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
  // A server that restarts repeatedly, as during troubleshooting.
  for (const daysLater of [0, 0.5]) {
    await passDays(dataDir, daysLater);
    site = await startSite({}, { dataDir, timeouts });
    await expect.poll(() => site?.output()).toContain('"level":"error","event":"retention.waits"');
    const page = await readInbox(site);
    expect(page).toContain("old@visitor.example");
    expect(page).toContain("The server’s clock went back, or jumped ahead by more than two weeks.");
    expect(page).not.toContain("Data is kept longer than the privacy policy says");
    expect(site.output()).not.toMatch(/retention\.(kept|late)|backups\.expired/);
    await site.stop();
    expect(await listBackups(dataDir)).toEqual(backups);
  }
  // Backups by the operator delete nothing either.
  const made = await makeBackup(dataDir);
  expect([made.expired, made.isClockDoubted]).toEqual([[], true]);
  expect(await listBackups(dataDir)).toHaveLength(3);

  // A day later the clock still agrees: it was right.
  await passDays(dataDir, 0.5);
  site = await startSite({}, { dataDir, timeouts });
  await expect.poll(() => site?.output()).toContain('"event":"retention.kept"');
  await expect.poll(() => listBackups(dataDir)).toEqual([basename(made.file)]);
  expect(await readInbox(site)).not.toMatch(/old@visitor\.example|The server’s clock went back/);
});

it("deletes as usual after less than two weeks, and a day after a fast clock was corrected", async () => {
  const dataDir = await makeOldFolder();
  await passDays(dataDir, -400);
  site = await startSite({}, { dataDir, timeouts });
  await expect.poll(() => site?.output()).toContain('"level":"error","event":"retention.waits"');
  await site.stop();
  await passDays(dataDir, 1);
  site = await startSite({}, { dataDir, timeouts });
  await expect.poll(() => site?.output()).toContain('"event":"retention.kept"');
  await site.stop();
  await passDays(dataDir, 13);
  site = await startSite({}, { dataDir, timeouts });
  await expect.poll(() => site?.output()).toContain('"event":"retention.kept"');
  expect(site.output()).not.toContain('"event":"retention.waits"');
});

async function readInbox(running: TestSite): Promise<string> {
  const admin = new Visitor(running.url);
  await admin.signIn();
  return readText((await admin.get("/admin?filter=all")).html);
}
