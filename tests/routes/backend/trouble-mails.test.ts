import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { makeKey } from "#supabase/embedded/backups/encryption";
import { nameBackup } from "#supabase/embedded/backups/expired-backups";
import { makeSigningKey } from "#supabase/embedded/backups/signature";
import { type HookServer, startHookServer } from "../../support/hook-server";
import { makeSiteFolder } from "../../support/site-folder";
import { type TroubleMails, startTroubleMails } from "../../support/trouble-mails";
import { readText } from "../../support/visitor";
import { signInAdmin, useSite } from "../support/world";

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
const polling = { timeout: 120_000, interval: 100 };

let mails: TroubleMails;
let hook: HookServer;
let dataDir: string;

// One site, which makes no backup: a report reads the state of the backups from these files. `troubles.test.ts` shows
// when the database mails a cause again, and its end.
beforeAll(async () => {
  mails = await startTroubleMails();
  hook = await startHookServer();
  dataDir = await makeSiteFolder();
  await mkdir(join(dataDir, "backups"));
  const old = nameOf(4 * dayMs);
  await write(old, "");
  await write("last-copy.json", JSON.stringify({ name: old }));
  await write("last-verified.json", JSON.stringify({ copy: timeOf(91 * dayMs) }));
  return async () => {
    await mails.server.close();
    hook.close();
  };
});
const reports = { firstTroubleReport: 0, troubleReport: 50, heartbeatCheck: 50 };
const timeouts = { ...reports, firstRetention: dayMs, firstBackup: dayMs };
const site = useSite(
  async () => ({
    ...mails.settings,
    TROUBLE_URL: hook.url,
    HEARTBEAT_URL: hook.url,
    POST_RATE_LIMIT: "1",
    BACKUP_EVERY: "1d",
    BACKUP_TO: "s3://firm-backups",
    BACKUP_RECIPIENT: (await makeKey()).recipient,
    BACKUP_SIGNING_KEY: makeSigningKey().signingKey,
    AWS_ACCESS_KEY_ID: "a key",
    AWS_SECRET_ACCESS_KEY: "a secret",
    AWS_REGION: "eu-test-1",
  }),
  () => ({ dataDir, timeouts, isWarm: true }),
);

const write = (name: string, text: string) => writeFile(join(dataDir, "backups", name), text);
const timeOf = (msAgo: number) => new Date(Date.now() - msAgo).toISOString();
const nameOf = (msAgo: number) => nameBackup(timeOf(msAgo), true);

it("mails each trouble once, calls TROUBLE_URL alike and HEARTBEAT_URL, and shows admins what lasts", async () => {
  await expect.poll(() => hook.received, polling).toContain("GET");
  const causes = ["backup-late", "backup-unverified", "copy-late"];
  await expect.poll(mails.list, polling).toEqual(causes);
  await write(nameOf(3 * hourMs), "");
  for (const what of ["copy", "backup"]) {
    await write("last-failure.json", JSON.stringify({ at: timeOf(hourMs), code: "EIO", what }));
    causes.push(`${what}-failed`);
    await expect.poll(mails.list, polling).toEqual(causes.toSorted());
  }
  for (let sent = 0; sent < 53; sent += 1) await site.post("/contact", {});
  causes.push("limits-refused");
  await expect.poll(mails.list, polling).toEqual(causes.toSorted());
  await expect.poll(hook.list, polling).toEqual(causes.map((cause) => `${cause} lasts`).toSorted());
  const inbox = readText((await (await signInAdmin(site)).get("/admin")).html);
  expect(inbox).toMatch(/The website needs attention .*More than 50 visits/);
});
