import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Product, startProduct } from "../support/product";
import { makeSiteFolder } from "../support/site-folder";
import { Visitor, filledContactForm } from "../support/visitor";

const rounds = 3;
/** The server is killed before so many of a round were accepted: in the first after few, in the last after most. */
const mostAccepted = 80;

/** Kills the server in the middle of a stream, again and again, on one folder: whatever it said yes to must be there. */
describe("kill -9 in a stream of submissions", () => {
  const accepted = new Set<string>();
  let dataDir: string;
  let product: Product;

  beforeAll(async () => {
    dataDir = await makeSiteFolder();
    product = await startProduct({}, { dataDir });
  });
  afterAll(() => product.stop());

  it.each(Array.from({ length: rounds }, (_, i) => [i + 1]))("loses nothing (round %i)", async (round) => {
    const killAfter = Math.round((mostAccepted * (round + 0.5)) / (rounds + 1));
    const before = accepted.size;
    await sendStream(round, async () => {
      if (accepted.size - before === killAfter) await product.kill();
    });
    expect(accepted.size - before).toBeGreaterThanOrEqual(killAfter);
    product = await startProduct({}, { dataDir });
    const stored = await readStoredNames();
    for (const name of accepted) expect(stored.filter((one) => one === name).length, name).toBe(1);
  });

  it("sends both mails of every message that was stored, and no mail twice", async () => {
    const stored = await readStoredNames();
    expect(stored.length).toBeGreaterThanOrEqual(accepted.size);
    await expect.poll(countMails, { timeout: 60_000 }).toBe(2 * stored.length);
    await wait(6_000);
    expect(await countMails()).toBe(2 * stored.length);
  });

  /** Four visitors at once, each posting as fast as the answers come, until the server is gone. */
  async function sendStream(round: number, onAccepted: () => Promise<void>): Promise<void> {
    let next = 0;
    const sender = async () => {
      const visitor = new Visitor(product.url);
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
    const admin = new Visitor(product.url);
    await admin.signIn();
    const { html: csv } = await admin.get("/admin/submissions.csv");
    return [...csv.matchAll(/^"[^"]+","(Round \d+ visitor \d+)",/gm)].map(([, name]) => name ?? "");
  }

  /** Of messages: the admin is also told that they signed in on new devices, which the readers above are. */
  async function countMails(): Promise<number> {
    const folder = join(dataDir, "mail");
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".eml"));
    const mails = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8").catch(() => "")));
    return mails.filter((mail) => mail !== "" && !/^Subject: New device/m.test(mail)).length;
  }
});
