import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { withDatabaseOf } from "../../support/find-text";
import { startSite, type TestSite } from "../../support/site";
import { makeSiteFolder } from "../../support/site-folder";
import { Visitor, readText } from "../../support/visitor";
import { sendMessageAs } from "../support/erasure";

let site: TestSite | undefined;
afterEach(() => site?.stop());

const dayMs = 24 * 60 * 60 * 1000;
const timeouts = { firstRetention: 0 };

/** A folder with a message and a backup, both of them past their time by the clock of today. */
async function makeFolderOfThePast(): Promise<string> {
  const dataDir = await makeSiteFolder();
  const before = await startSite({}, { dataDir });
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

/** Sets when the folder's server last looked at the clock, as if it had been then. */
async function setLastLook(dataDir: string, days: number, doubtedSince: string | null = null): Promise<void> {
  await writeFile(join(dataDir, "clock.json"), JSON.stringify({ seenAt: daysAgo(days), doubtedSince }));
}

async function listBackups(dataDir: string): Promise<string[]> {
  return (await readdir(join(dataDir, "backups"))).filter((name) => name.startsWith("backup-"));
}

it("nothing is deleted for a day by a clock that has jumped, and the admin and the log are told", async () => {
  const dataDir = await makeFolderOfThePast();
  const backups = await listBackups(dataDir);
  await setLastLook(dataDir, 15);
  site = await startSite({}, { dataDir, timeouts });
  await expect.poll(() => site?.output()).toContain('"level":"error","event":"retention.waits"');
  expect(site.output()).toContain('"level":"error","event":"clock.jumped-ahead"');
  const admin = new Visitor(site.url);
  await admin.signIn();
  const page = readText((await admin.get("/admin?filter=all")).html);
  expect(page).toContain("old@visitor.example");
  expect(page).toContain("Its clock jumped by more than two weeks.");
  expect(await listBackups(dataDir)).toEqual(backups);
  expect(site.output()).not.toMatch(/retention\.kept|backups\.expired/);
  await site.stop();

  // A day later, with the clock as it was: it was right.
  const { doubtedSince } = JSON.parse(await readFile(join(dataDir, "clock.json"), "utf8"));
  expect(Date.now() - Date.parse(doubtedSince)).toBeLessThan(dayMs);
  await setLastLook(dataDir, 1 / 24, daysAgo(1.01));
  site = await startSite({}, { dataDir, timeouts });
  await expect.poll(() => site?.output()).toContain('"event":"retention.kept"');
  expect(site.output()).toContain('"event":"clock.trusted-again"');
  await expect.poll(() => listBackups(dataDir)).toEqual([nameAfter(backups)]);
  expect(readText((await signedIn(site)).html)).not.toMatch(/old@visitor\.example|clock jumped/);
});

it("deletes as always after less than two weeks, and when a clock that was ahead was set right", async () => {
  const dataDir = await makeFolderOfThePast();
  await setLastLook(dataDir, -400, daysAgo(-400));
  site = await startSite({}, { dataDir, timeouts });
  await expect.poll(() => site?.output()).toContain('"event":"retention.kept"');
  expect(site.output()).toContain('"level":"error","event":"clock.went-back"');
  await site.stop();
  await setLastLook(dataDir, 13);
  site = await startSite({}, { dataDir, timeouts });
  await expect.poll(() => site?.output()).toContain('"event":"retention.kept"');
  expect(site.output()).not.toContain('"event":"clock.');
});

function nameAfter(backups: string[]): string | undefined {
  return backups.toSorted().at(-1);
}

async function signedIn(running: TestSite) {
  const admin = new Visitor(running.url);
  await admin.signIn();
  return admin.get("/admin?filter=all");
}
