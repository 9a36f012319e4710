import { readdir } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Timeouts } from "~/server/config/timeouts.server";
import { isEverything } from "../support/everything";
import { makeThreadFreezable } from "../support/freezable-thread";
import { type Product, canMountDisk, startProduct } from "../support/product";
import { startSite } from "../support/site";
import { makeSiteFolder } from "../support/site-folder";
import { type TroubleMails, startTroubleMails } from "../support/trouble-mails";
import { type Project, settingsOf, startProject } from "./support/project";

const polling = { timeout: 150_000, interval: 250 };

/** The first report comes before the backend is open, so the next one counts. */
const quickReports = { firstTroubleReport: 200, troubleReport: 200 };

/** Ends a hung process after three seconds. */
const quickWatch = { loopCheck: 100, loopSilence: 3_000 };

let mails: TroubleMails;
let product: Product | undefined;

beforeAll(async () => {
  mails = await startTroubleMails();
});
beforeEach(() => void mails.take());
afterEach(async () => {
  await product?.kill();
  product = undefined;
});
afterAll(() => mails.server.close());

it("mails that a process was killed, hung or lost its thread, and nothing about one that was stopped", async () => {
  const dataDir = await makeSiteFolder();
  const start = async (settings: Record<string, string> = {}, timeouts?: Partial<Timeouts>) =>
    (product = await startProduct(
      { ...mails.settings, ...settings },
      { dataDir, timeouts: { ...quickReports, ...timeouts } },
    ));
  await (await start()).kill();

  const hanging = await start(makeThreadFreezable("loop", "main"), quickWatch);
  await expect.poll(mails.list, polling).toEqual(["process-ended"]);
  expect(mails.server.received[0]?.content.text).toMatch(/ended without being stopped.*It runs again\./);
  mails.take();
  process.kill(hanging.pid, "SIGUSR2");
  await expect.poll(hanging.output, polling).toContain("event-loop.stuck");
  await hanging.stop();

  // Events before the start are reported before the end of the thread, at the latest with it.
  const frozen = await start(makeThreadFreezable("wait"), { threadProbe: 100, threadSilence: 3_000 });
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

it.runIf(isEverything && canMountDisk())("mails that the disk is nearly full", async () => {
  product = await startProduct(mails.settings, { diskMb: 200, timeouts: quickReports });
  await expect.poll(mails.list, polling).toEqual(["disk-low"]);
});

describe("with a hosted project", () => {
  let project: Project;

  beforeAll(async () => {
    project = await startProject({ ...mails.settings, SITE_URL: "https://firm.example" });
  });
  afterAll(() => project?.close());

  async function deliver(): Promise<string[]> {
    const headers = { apikey: project.hosted.backend.rest.secretKey };
    await fetch(`${project.url}/functions/v1/deliver-outbox`, { method: "POST", headers });
    return mails.list();
  }

  it("mails that the database is behind the program", async () => {
    const { sql, exec } = project.hosted.backend.postgres;
    const [newest] = await sql<{ version: string }>("select public.newest_migration() as version");
    await exec(`delete from supabase_migrations.schema_migrations where version = '${newest?.version}'`);
    const site = await startSite(settingsOf(project), { timeouts: quickReports });
    await expect.poll(deliver, polling).toEqual(["database-behind"]);
    expect(await deliver()).toEqual(["database-behind"]);
    await site.stop();
    await sql("select public.report_trouble('{firm-address-refused}')");
    await expect.poll(deliver, polling).toContain("firm-address-refused");
    const texts = mails.server.received.map(({ content }) => content.text).join("\n");
    expect(texts).toContain("Correct CONTACT_TO in the project’s dashboard");
  });
});
