import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Product, type RunningSite, startProduct } from "../support/product";
import { startSite } from "../support/site";
import { makeSiteFolder } from "../support/site-folder";
import { Visitor, filledContactForm } from "../support/visitor";

const rounds = 3;
/** The server is killed before so many of a round were accepted: in the first after few, in the last after most. */
const mostAccepted = 40;

/** Each look reads all mails. */
const patience = { timeout: 60_000, interval: 200 };

/** Kills the server in the middle of a stream, again and again, on one folder: whatever it said yes to must be there. */
describe("kill -9 in a stream of submissions", () => {
  const accepted = new Set<string>();
  let dataDir: string;
  let product: Product;
  /** The next one to be killed, and after the last kill one in the test's own process: it has the same to put right. */
  let site: RunningSite & { stop(): Promise<unknown> };

  beforeAll(async () => {
    dataDir = await makeSiteFolder();
    site = product = await startProduct({}, { dataDir });
  });
  afterAll(() => site.stop());

  it.each(Array.from({ length: rounds }, (_, i) => [i + 1]))("loses nothing (round %i)", async (round) => {
    const killAfter = Math.round((mostAccepted * (round + 0.5)) / (rounds + 1));
    const before = accepted.size;
    await sendStream(round, async () => {
      if (accepted.size - before === killAfter) await product.kill();
    });
    expect(accepted.size - before).toBeGreaterThanOrEqual(killAfter);
    site = round < rounds ? (product = await startProduct({}, { dataDir })) : await startSite({}, { dataDir });
    const stored = await readStoredNames();
    for (const name of accepted) expect(stored.filter((one) => one === name).length, name).toBe(1);
  });

  it("sends both mails of every message that was stored, and no mail twice", async () => {
    const stored = await readStoredNames();
    expect(stored.length).toBeGreaterThanOrEqual(accepted.size);
    await expect.poll(() => countMails(), patience).toBe(2 * stored.length);
    // Whoever delivers these has looked for all that is due, again and again: nothing of the others is.
    for (const late of [1, 2, 3]) {
      const email = `late${late}@harbor.example`;
      expect((await new Visitor(site.url).post("/contact", { ...filledContactForm, email })).status).toBe(303);
      await expect.poll(() => countMails(email), patience).toBe(2);
      expect(await countMails()).toBe(2 * (stored.length + late));
    }
  });

  /** Four visitors at once, each posting as fast as the answers come, until the server is gone. */
  async function sendStream(round: number, onAccepted: () => Promise<void>): Promise<void> {
    let next = 0;
    const sender = async () => {
      const visitor = new Visitor(site.url);
      for (;;) {
        const name = `Round ${round} visitor ${next++}`;
        const form = { ...filledContactForm, name, email: `r${round}n${next}@harbor.example` };
        const answer = await visitor.post("/contact", form).catch(() => null);
        if (answer === null) return;
        expect([303, 503], name).toContain(answer.status);
        // A machine that has much else to do is slow, and the site then says so: it has promised nothing.
        if (answer.status === 503) continue;
        accepted.add(name);
        await onAccepted();
      }
    };
    await Promise.all(Array.from({ length: 4 }, sender));
  }

  async function readStoredNames(): Promise<string[]> {
    const admin = new Visitor(site.url);
    // A machine that has much else to do is slow, and the site then says so (503).
    await expect.poll(async () => (await admin.signIn()).status, patience).toBe(303);
    let csv = "";
    const read = async () => {
      const { status, html } = await admin.post("/admin/submissions.csv", { separator: "comma" });
      csv = html;
      return status;
    };
    await expect.poll(read, patience).toBe(200);
    return [...csv.matchAll(/^"[^"]+","[^"]+","(Round \d+ visitor \d+)",/gm)].map(([, name]) => name ?? "");
  }

  /** Of all messages, or of those from one address: the admin is also told that they signed in on new devices, as readers above do. */
  async function countMails(about = ""): Promise<number> {
    const folder = join(dataDir, "mail");
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".eml"));
    const mails = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8").catch(() => "")));
    return mails.filter((mail) => mail !== "" && mail.includes(about) && !/^Subject: New device/m.test(mail)).length;
  }
});
