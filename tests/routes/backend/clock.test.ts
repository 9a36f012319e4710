import { mkdir, readdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { makeBackup } from "#supabase/embedded/operations/backups/backup";
import { withDatabaseOf } from "../../support/find-text";
import { startSite, type TestSite } from "../../support/site";
import { makeSiteFolder } from "../../support/site-folder";
import { Visitor, readText } from "../../support/visitor";
import { sendMessageAs } from "../support/erasure";

let site: TestSite | undefined;
afterEach(() => site?.stop());

const dayMs = 24 * 60 * 60 * 1000;
const timeouts = { firstRetention: 0 };

/** A folder with a message and backups, all of them past their time by the clock of today, which retention has seen just now. */
async function makeFolderOfThePast(): Promise<string> {
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

/** Lets so many days pass since retention last saw the clock of a site that is stopped; negative where the clock is set back. */
async function pass(dataDir: string, days: number): Promise<void> {
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

it("nothing is deleted for a day by a clock that has jumped, and the admin and the log are told", async () => {
  const dataDir = await makeFolderOfThePast();
  const backups = await listBackups(dataDir);
  await pass(dataDir, 15);
  // A server that is started again and again, as somebody does who looks for the fault.
  for (const daysLater of [0, 0.5]) {
    await pass(dataDir, daysLater);
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
  // Nor by a backup that an operator makes.
  const made = await makeBackup(dataDir);
  expect([made.expired, made.isClockDoubted]).toEqual([[], true]);
  expect(await listBackups(dataDir)).toHaveLength(3);

  // A day later, with the clock as it was: it was right.
  await pass(dataDir, 0.5);
  site = await startSite({}, { dataDir, timeouts });
  await expect.poll(() => site?.output()).toContain('"event":"retention.kept"');
  await expect.poll(() => listBackups(dataDir)).toEqual([basename(made.file)]);
  expect(await readInbox(site)).not.toMatch(/old@visitor\.example|The server’s clock went back/);
});

it("deletes as always after less than two weeks, and a day after a clock that was ahead was set right", async () => {
  const dataDir = await makeFolderOfThePast();
  await pass(dataDir, -400);
  site = await startSite({}, { dataDir, timeouts });
  await expect.poll(() => site?.output()).toContain('"level":"error","event":"retention.waits"');
  await site.stop();
  await pass(dataDir, 1);
  site = await startSite({}, { dataDir, timeouts });
  await expect.poll(() => site?.output()).toContain('"event":"retention.kept"');
  await site.stop();
  await pass(dataDir, 13);
  site = await startSite({}, { dataDir, timeouts });
  await expect.poll(() => site?.output()).toContain('"event":"retention.kept"');
  expect(site.output()).not.toContain('"event":"retention.waits"');
});

async function readInbox(running: TestSite): Promise<string> {
  const admin = new Visitor(running.url);
  await admin.signIn();
  return readText((await admin.get("/admin?filter=all")).html);
}
