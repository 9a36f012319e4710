import { rm, statfs, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeDataDir, makeSiteFolder } from "../support/site-folder";
import { withDatabaseOf } from "../support/find-text";
import { canMountDisk, type Product, startProduct } from "../support/product";
import { Visitor, filledContactForm, readText } from "../support/visitor";

/** A new database takes about 40 of them. */
const diskMb = 160;
const megabyte = 1024 * 1024;

/**
 * Loaded by the product before anything else, since nobody but its process sees the disk: puts a site there that was set up. A first
 * start would take as long as all the rest.
 */
const copySite = (from: string, to: string) => `
  import { cpSync } from "node:fs";
  import { isMainThread } from "node:worker_threads";
  if (isMainThread) cpSync(${JSON.stringify(from)}, ${JSON.stringify(to)}, { recursive: true });`;

/** Leaves so little of its 16 MB to the database's log that it needs the next after half as many messages, but not before it should. */
const fillLog = `
  select pg_logical_emit_message(false, '', repeat('x', ${10 * megabyte} - file_offset))
  from pg_walfile_name_offset(pg_current_wal_lsn()) where file_offset < ${10 * megabyte}`;

/** A database that has just come back takes longer than the site waits for it (503), where the machine has other work. */
const inTime = { timeout: 60_000, interval: 250 };

describe.skipIf(!canMountDisk())("with a full disk", () => {
  const accepted: string[] = [];
  let sent = 0;
  let product: Product;
  let filler: string;

  beforeAll(async () => {
    const [site, dataDir] = await Promise.all([makeSiteFolder(), makeDataDir()]);
    await withDatabaseOf(site, (sql) => sql(fillLog));
    const preload = `--import=data:text/javascript,${encodeURIComponent(copySite(site, dataDir))}`;
    product = await startProduct({ NODE_OPTIONS: preload }, { dataDir, diskMb });
    // The process's own view of its files (proc(5)).
    filler = `/proc/${product.pid}/root${dataDir}/filler`;
    await send();
  });
  afterAll(() => product.stop());

  it("refuses what has no place with the words kept, says so, and goes on answering pages", async () => {
    await fillAllBut(0);
    const refused = await sendUntilRefused();
    expect(product.output()).toMatch(/"level":"error","event":"embedded.sql-error","code":"53100"/);
    await expectHonest(refused);
  });

  it("takes messages again once there is room, without a restart", async () => {
    await rm(filler);
    await expect.poll(isReady, inTime).toBe(true);
    await expect.poll(trySending, inTime).toBe(303);
  });

  // The log has a place of its own until it begins its next 16 MB: PostgreSQL gives up when there are none.
  it("starts its database again once there is room, when that has given up", async () => {
    const hasGivenUp = () => product.output().includes('"event":"embedded.waits-for-disk"');
    // Rows and mails may take the room before the log needs more of it: then they get the same again.
    while (!hasGivenUp()) {
      await rm(filler, { force: true });
      await fillAllBut(14 * megabyte);
      let refusals = 0;
      await Promise.all(Array.from({ length: 6 }, () => sendUntilRefused(() => hasGivenUp() || (refusals += 1) > 60)));
    }
    expect(product.output()).toMatch(/"event":"embedded.thread-died","error":"DatabasePanicked"/);
    await expectHonest(await send());
    await rm(filler);
    await expect.poll(isReady, inTime).toBe(true);
    await expect.poll(trySending, inTime).toBe(303);
  });

  it("has all that it accepted, and tells the admin that the disk is nearly full", async () => {
    const admin = new Visitor(product.url);
    await expect.poll(async () => (await admin.signIn()).status, inTime).toBe(303);
    const findMissing = async () => {
      const { status, html } = await admin.post("/admin/submissions.csv", { separator: "comma" });
      const stored = new Set(html.match(/Sender \d+/g));
      return { status, missing: accepted.filter((name) => !stored.has(name)) };
    };
    await expect.poll(findMissing, inTime).toEqual({ status: 200, missing: [] });
    const readInbox = async () => readText((await admin.get("/admin")).html);
    await expect.poll(readInbox, inTime).toContain("Its disk is nearly full.");
  });

  async function send() {
    const name = `Sender ${sent++}`;
    const message = `${name} ${writeIncompressible(4_000)}`;
    const answer = await new Visitor(product.url).post("/contact", { ...filledContactForm, name, message });
    if (answer.status === 303) accepted.push(name);
    return { answer, message };
  }

  async function sendUntilRefused(isOver = () => true) {
    for (;;) {
      const last = await send();
      if (last.answer.status !== 303 && isOver()) return last;
    }
  }

  async function expectHonest({ answer, message }: Awaited<ReturnType<typeof send>>): Promise<void> {
    expect(answer.status).toBe(503);
    expect(answer.html).toContain(message);
    expect(await isReady()).toBe(false);
    expect((await new Visitor(product.url).get("/about")).status).toBe(200);
  }

  async function trySending(): Promise<number> {
    return (await send()).answer.status;
  }

  async function isReady(): Promise<boolean> {
    return (await fetch(`${product.url}/readyz`)).status === 200;
  }

  async function fillAllBut(bytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(dirname(filler));
    await writeFile(filler, Buffer.alloc(bavail * bsize - bytes)).catch((error: NodeJS.ErrnoException) => {
      // The site has taken some of it meanwhile.
      if (error.code !== "ENOSPC") throw error;
    });
  }
});

/** Random Chinese characters of three bytes each, so that the disk is full after few messages. */
function writeIncompressible(length: number): string {
  const random = crypto.getRandomValues(new Uint16Array(length));
  return String.fromCharCode(...random.map((number) => 0x4e00 + (number % 0x5000)));
}
