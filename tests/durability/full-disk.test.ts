import { rm, statfs, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isEverything } from "../support/everything";
import { makeSiteFolder } from "../support/site-folder";
import { withDatabaseOf } from "../support/find-text";
import { canMountDisk, type Product, startProduct } from "../support/product";
import { Visitor, filledContactForm, readText } from "../support/visitor";

/** A new database takes about 40 of these. */
const diskMb = 160;
const megabyte = 1024 * 1024;

/**
 * Fills the WAL segment of 16 MB so far that the database needs the next one after half as many messages, but not too
 * early.
 */
const fillLog = `
  select pg_logical_emit_message(false, '', repeat('x', ${10 * megabyte} - file_offset))
  from pg_walfile_name_offset(pg_current_wal_lsn()) where file_offset < ${10 * megabyte}`;

/** Polling options. On a busy machine, a restarted database takes longer than the site waits for it (503). */
const inTime = { timeout: 60_000, interval: 250 };

describe.skipIf(!canMountDisk())("with a full disk", () => {
  const accepted: string[] = [];
  let sent = 0;
  let product: Product;
  let filler: string;

  beforeAll(async () => {
    const dataDir = await makeSiteFolder();
    await withDatabaseOf(dataDir, (sql) => sql(fillLog));
    // A call to the database of a full disk gets no result.
    product = await startProduct({}, { dataDir, diskMb, timeouts: { backendCall: 1_000 } });
    // The process's own view of the file system (proc(5)).
    filler = `/proc/${product.pid}/root${product.dataDir}/filler`;
    await send();
  });
  afterAll(() => product.stop());

  it("rejects messages with the form filled, logs the cause, and still serves pages", async () => {
    await fillAllBut(0);
    const refused = await sendUntilRefused();
    expect(product.output()).toMatch(/"level":"error","event":"embedded.sql-error","code":"53100"/);
    await expectRejected(refused);
  });

  it("accepts messages again once there is room, without a restart", async () => {
    await rm(filler);
    await expect.poll(isReady, inTime).toBe(true);
    await expect.poll(trySending, inTime).toBe(303);
  });

  // A WAL segment is allocated in full; PostgreSQL panics when the disk has no room for the next 16 MB.
  it.runIf(isEverything)("restarts a panicked database once there is room", async () => {
    const hasPanicked = () => product.output().includes('"event":"embedded.start-waits"');
    // Rows and mails may use up the room before the log needs it: then make the same room again.
    while (!hasPanicked()) {
      await rm(filler, { force: true });
      await fillAllBut(14 * megabyte);
      let refusals = 0;
      await Promise.all(Array.from({ length: 6 }, () => sendUntilRefused(() => hasPanicked() || (refusals += 1) > 60)));
    }
    expect(product.output()).toMatch(/"event":"embedded.thread-died","error":"DatabasePanicked"/);
    await expectRejected(await send());
    await rm(filler);
    await expect.poll(isReady, inTime).toBe(true);
    await expect.poll(trySending, inTime).toBe(303);
  });

  it("keeps every accepted message, and warns the admin that the disk is nearly full", async () => {
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
    const response = await new Visitor(product.url).post("/contact", { ...filledContactForm, name, message });
    if (response.status === 303) accepted.push(name);
    return { response, message };
  }

  async function sendUntilRefused(isOver = () => true) {
    for (;;) {
      const last = await send();
      if (last.response.status !== 303 && isOver()) return last;
    }
  }

  async function expectRejected({ response, message }: Awaited<ReturnType<typeof send>>): Promise<void> {
    expect(response.status).toBe(503);
    expect(response.html).toContain(message);
    expect(await isReady()).toBe(false);
    expect((await new Visitor(product.url).get("/about")).status).toBe(200);
  }

  async function trySending(): Promise<number> {
    return (await send()).response.status;
  }

  async function isReady(): Promise<boolean> {
    return (await fetch(`${product.url}/readyz`)).status === 200;
  }

  async function fillAllBut(bytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(dirname(filler));
    await writeFile(filler, Buffer.alloc(bavail * bsize - bytes)).catch((error: NodeJS.ErrnoException) => {
      // The site used some of the room meanwhile.
      if (error.code !== "ENOSPC") throw error;
    });
  }
});

/** Returns random Chinese characters of three bytes each, so that a few messages fill the disk. */
function writeIncompressible(length: number): string {
  const random = crypto.getRandomValues(new Uint16Array(length));
  return String.fromCharCode(...random.map((number) => 0x4e00 + (number % 0x5000)));
}
