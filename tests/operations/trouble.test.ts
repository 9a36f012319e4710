import { readdir } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import type { Timeouts } from "~/server/config/timeouts.server";
import { makeThreadFreezable } from "../support/freezable-thread";
import { type Product, canMountDisk, startProduct } from "../support/product";
import { startSite } from "../support/site";
import { makeSiteFolder } from "../support/site-folder";
import { type TroubleMails, startTroubleMails } from "../support/trouble-mails";
import { settingsOf, startProject } from "./support/project";

const polling = { timeout: 150_000, interval: 250 };

/** The first report comes before the backend is open, so the next one counts. */
const quickReports = { firstTroubleReport: 200, troubleReport: 200 };

/** Ends a hung process after three seconds. */
const quickWatch = { loopCheck: 100, loopSilence: 3_000 };

let mails: TroubleMails;
beforeAll(async () => {
  mails = await startTroubleMails();
});
beforeEach(() => void mails.take());
afterAll(() => mails.server.close());

async function start(
  settings: Record<string, string>,
  { timeouts, ...options }: { dataDir?: string; diskMb?: number; timeouts?: Partial<Timeouts> },
): Promise<Product> {
  const all = { ...options, timeouts: { ...quickReports, ...timeouts } };
  const product = await startProduct({ ...mails.settings, ...settings }, all);
  onTestFinished(() => product.kill());
  return product;
}

it("mails that a process was killed, hung or lost its thread, and nothing about one that was stopped", async () => {
  const dataDir = await makeSiteFolder();
  await (await start({}, { dataDir })).kill();

  const hanging = await start(makeThreadFreezable("loop", "main"), { dataDir, timeouts: quickWatch });
  await expect.poll(mails.list, polling).toEqual(["process-ended"]);
  expect(mails.server.received[0]?.content.text).toMatch(/ended without being stopped.*It runs again\./);
  mails.take();
  process.kill(hanging.pid, "SIGUSR2");
  await expect.poll(hanging.output, polling).toContain("event-loop.stuck");
  await hanging.stop();

  // Events before the start are reported before the end of the thread, at the latest with it.
  const timeouts = { threadProbe: 100, threadSilence: 3_000 };
  const frozen = await start(makeThreadFreezable("wait"), { dataDir, timeouts });
  await expect.poll(mails.list, polling).toEqual(["process-stuck"]);
  expect(mails.server.received[0]?.content.text).toMatch(/hung for a minute.*event-loop\.stuck/s);
  mails.take();
  process.kill(frozen.pid, "SIGUSR2");
  // A thread that freezes before it has noted a delivery makes the next one mail the same again.
  await expect.poll(() => mails.list().filter((cause) => cause !== "process-stuck"), polling).toEqual(["thread-ended"]);
  await expect.poll(async () => (await fetch(`${frozen.url}/readyz`)).status, polling).toBe(200);
  // The next start reports the end of a server that left its mark (`run-mark.server.ts`).
  expect(await readdir(dataDir)).toContain("running");
  expect(await frozen.stop()).toBe(0);
  expect(await readdir(dataDir)).not.toContain("running");
});

it.runIf(canMountDisk())("mails that the disk is nearly full", async () => {
  await start({}, { diskMb: 200 });
  await expect.poll(mails.list, polling).toEqual(["disk-low"]);
});

it("mails that the database of a hosted project is behind the program", async () => {
  const project = await startProject({ ...mails.settings, SITE_URL: "https://firm.example" });
  onTestFinished(() => project.close());
  const { rest, postgres } = project.hosted.backend;
  const deliver = async () => {
    const headers = { apikey: rest.secretKey };
    await fetch(`${project.url}/functions/v1/deliver-outbox`, { method: "POST", headers });
    return mails.list();
  };
  const [newest] = await postgres.sql<{ version: string }>("select public.newest_migration() as version");
  await postgres.exec(`delete from supabase_migrations.schema_migrations where version = '${newest?.version}'`);
  const site = await startSite(settingsOf(project), { timeouts: quickReports });
  await expect.poll(deliver, polling).toEqual(["database-behind"]);
  expect(await deliver()).toEqual(["database-behind"]);
  await site.stop();
  await postgres.sql("select public.report_trouble('{firm-address-refused}')");
  await expect.poll(deliver, polling).toContain("firm-address-refused");
  const texts = mails.server.received.map(({ content }) => content.text).join("\n");
  expect(texts).toContain("Correct CONTACT_TO in the project’s dashboard");
});
