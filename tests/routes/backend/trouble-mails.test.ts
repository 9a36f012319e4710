import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { makeKey } from "#supabase/embedded/operations/backups/encryption";
import { makeSigningKey } from "#supabase/embedded/folder/signature";
import { startS3 } from "../../support/servers/s3-server";
import { withDatabaseOf } from "../../support/find-text";
import { type TestSite, type TestSiteOptions, startSite } from "../../support/site";
import { makeSiteFolder } from "../../support/site-folder";
import { type TroubleMails, startTroubleMails } from "../../support/trouble-mails";
import { Visitor, filledContactForm, readText } from "../../support/visitor";

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
const polling = { timeout: 120_000, interval: 100 };
const reportMs = 50;
/** Twice ten checks, each of which makes a report, so that the same is reported again, and its end. */
const severalReportsMs = 20 * reportMs;
const never = dayMs;

let mails: TroubleMails;
let dataDir: string;
let site: TestSite | undefined;

beforeAll(async () => {
  mails = await startTroubleMails();
});
beforeEach(async () => {
  dataDir = await makeSiteFolder();
  mails.take();
});
afterEach(async () => {
  await site?.stop();
  site = undefined;
});
afterAll(() => mails.server.close());

async function start(settings: Record<string, string> = {}, timeouts: TestSiteOptions["timeouts"] = {}): Promise<void> {
  const short = {
    firstTroubleReport: 0,
    troubleReport: reportMs,
    outboxPoll: 200,
    firstRetention: never,
    firstBackup: never,
    ...timeouts,
  };
  site = await startSite({ ...mails.settings, ...settings }, { dataDir, timeouts: short });
}

/** Waits for so many mails, and some reports longer. Then stops the site, and returns all mails. */
async function takeMails(count: number): Promise<string[]> {
  await vi.waitUntil(() => mails.list().length >= count, polling);
  await wait(severalReportsMs);
  await site?.stop();
  site = undefined;
  return mails.take();
}

/** Moves what a stopped site knows of trouble into the past. */
const pass = (time: string) =>
  withDatabaseOf(dataDir, (sql) =>
    sql(
      `update private.troubles set since = since - $1::interval, seen_at = seen_at - $1::interval,
         ended_at = ended_at - $1::interval, mailed_at = mailed_at - $1::interval returning 1 as ok`,
      [time],
    ),
  );

const change = (statement: string) => withDatabaseOf(dataDir, (sql) => sql(`${statement} returning 1 as ok`));

const readVerified = () => readFile(join(dataDir, "backups", "last-verified.json"), "utf8").catch(() => "");

const nameOf = (msAgo: number) =>
  `backup-${new Date(Date.now() - msAgo).toISOString().replaceAll(/[:.]/g, "-")}.tar.gz.age`;

it("mails late, failed and unverified backups and copies, each once, and their end", async () => {
  const s3 = await startS3("firm-backups");
  const folder = join(dataDir, "backups");
  await mkdir(folder);
  const old = nameOf(4 * dayMs);
  await writeFile(join(folder, old), "");
  await writeFile(join(folder, "last-copy.json"), JSON.stringify({ name: old }));
  const verified = { copy: new Date(Date.now() - 91 * dayMs).toISOString() };
  await writeFile(join(folder, "last-verified.json"), JSON.stringify(verified));
  const keys = { BACKUP_RECIPIENT: (await makeKey()).recipient, BACKUP_SIGNING_KEY: makeSigningKey().signingKey };
  const backups = { BACKUP_EVERY: "1d", BACKUP_TO: "s3://firm-backups", ...keys, ...s3.settings };

  await start(backups);
  expect(await takeMails(3)).toEqual(["backup-late", "backup-unverified", "copy-late"]);

  await writeFile(join(folder, nameOf(3 * hourMs)), "");
  await start({ ...backups, AWS_SECRET_ACCESS_KEY: "another" }, { firstBackup: 0 });
  expect(await takeMails(1)).toEqual(["copy-failed"]);

  // A failed copy is tried again after an hour.
  const failure = { at: new Date(Date.now() - 2 * hourMs).toISOString(), code: "SignatureDoesNotMatch", what: "copy" };
  await writeFile(join(folder, "last-failure.json"), JSON.stringify(failure));
  await start(backups, { firstBackup: 0 });
  await expect.poll(() => site?.output(), polling).toContain('"event":"backups.copied"');
  expect(await takeMails(0)).toEqual([]);
  await pass("31 minutes");
  await start(backups);
  expect(await takeMails(3)).toEqual(["over: backup-late", "over: copy-failed", "over: copy-late"]);
  s3.close();
});

it("mails a failed backup once a day", async () => {
  // A file that cannot be copied.
  await symlink("/nowhere", join(dataDir, "strange"));
  await start({ BACKUP_EVERY: "1d" }, { firstBackup: 0 });
  expect(await takeMails(1)).toEqual(["backup-failed"]);
  await pass("23 hours");
  await start({ BACKUP_EVERY: "1d" });
  expect(await takeMails(0)).toEqual([]);
  await pass("1 hour");
  await start({ BACKUP_EVERY: "1d" });
  expect(await takeMails(1)).toEqual(["backup-failed"]);
});

it("counts the time without a verified backup from the first one", async () => {
  await start({ BACKUP_EVERY: "1d" }, { firstBackup: 0 });
  await expect.poll(readVerified, polling).toMatch(/^\{"backup":"\d{4}-\d{2}-\d{2}T[\d:.]+Z"\}\n$/);
  expect(await takeMails(0)).toEqual([]);
});

it("mails that limits refused many visits, and shows it to admins", async () => {
  await start({ POST_RATE_LIMIT: "1" });
  const visitor = new Visitor(site?.url ?? "");
  for (let sent = 0; sent < 53; sent += 1) await visitor.post("/contact", filledContactForm);
  await expect.poll(mails.list, polling).toEqual(["limits-refused"]);
  const admin = new Visitor(site?.url ?? "");
  await admin.signIn();
  expect(readText((await admin.get("/admin")).html)).toMatch(/The website needs attention .*More than 50 visits/);
  expect(await takeMails(1)).toEqual(["limits-refused"]);
});

it("mails that retention is late or waits, once it has lasted ten minutes", async () => {
  await start({}, { firstRetention: 0 });
  await expect.poll(() => site?.output(), polling).toContain('"event":"retention.kept"');
  expect(await takeMails(0)).toEqual([]);

  await change("update private.retention_runs set ran_at = ran_at - interval '3 days'");
  await start();
  expect(await takeMails(0)).toEqual([]);
  await pass("11 minutes");
  await start();
  expect(await takeMails(1)).toEqual(["retention-late"]);

  await change("update private.retention_clock set seen_at = seen_at - interval '20 days'");
  await start();
  expect(await takeMails(1)).toEqual(["over: retention-late"]);
  await pass("11 minutes");
  await start();
  expect(await takeMails(1)).toEqual(["retention-waits"]);
});
