import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isEverything } from "../support/everything";
import { type Product, type RunningSite, startProduct } from "../support/product";
import { startSite } from "../support/site";
import { makeSiteFolder } from "../support/site-folder";
import { Visitor, filledContactForm } from "../support/visitor";

const rounds = isEverything ? 3 : 1;
/**
 * Limit of accepted messages per round at the kill: the first round is killed after few of them, the last after most.
 */
const mostAccepted = isEverything ? 40 : 16;

/** Polling options. Each poll reads all mail files. */
const polling = { timeout: 60_000, interval: 200 };

/**
 * Kills the server repeatedly in the middle of a stream, on the same folder. Every acknowledged submission must
 * survive.
 */
/** Mails about sign-ins on new devices, and about the restart after a kill. */
const other = /^Subject: (?:New device|.*: the website was restarted)/m;

describe("kill -9 in a stream of submissions", () => {
  const accepted = new Set<string>();
  let dataDir: string;
  let product: Product;
  /**
   * The server to be killed next; after the last kill, one in the test's own process, which has the same recovery to
   * do.
   */
  let site: RunningSite & { stop(): Promise<unknown> };

  beforeAll(async () => {
    dataDir = await makeSiteFolder();
    site = product = await startProduct({}, { dataDir });
  });
  afterAll(() => site.stop());

  it.each(Array.from({ length: rounds }, (_, i) => [i + 1]))(
    "loses no acknowledged submission (round %i)",
    async (round) => {
      const killAfter = Math.round((mostAccepted * (round + 0.5)) / (rounds + 1));
      const before = accepted.size;
      await sendStream(round, async () => {
        if (accepted.size - before === killAfter) await product.kill();
      });
      expect(accepted.size - before).toBeGreaterThanOrEqual(killAfter);
      site = round < rounds ? (product = await startProduct({}, { dataDir })) : await startSite({}, { dataDir });
      const stored = await readStoredNames();
      for (const name of accepted) expect(stored.filter((one) => one === name).length, name).toBe(1);
    },
  );

  it("sends both emails of every stored message, and no email twice", async () => {
    const stored = await readStoredNames();
    expect(stored.length).toBeGreaterThanOrEqual(accepted.size);
    await expect.poll(() => countMails(), polling).toBe(2 * stored.length);
    // A worker that delivers these has also polled for all due mails: none of the others is due.
    for (const late of isEverything ? [1, 2, 3] : [1]) {
      const email = `late${late}@harbor.example`;
      expect((await new Visitor(site.url).post("/contact", { ...filledContactForm, email })).status).toBe(303);
      await expect.poll(() => countMails(email), polling).toBe(2);
      expect(await countMails()).toBe(2 * (stored.length + late));
    }
  });

  /** Runs four concurrent visitors, each posting as fast as responses arrive, until the server is gone. */
  async function sendStream(round: number, onAccepted: () => Promise<void>): Promise<void> {
    let next = 0;
    const sender = async () => {
      const visitor = new Visitor(site.url);
      for (;;) {
        const name = `Round ${round} visitor ${next++}`;
        const form = { ...filledContactForm, name, email: `r${round}n${next}@harbor.example` };
        const response = await visitor.post("/contact", form).catch(() => null);
        if (response === null) return;
        expect([303, 503], name).toContain(response.status);
        // A busy machine is slow, and the site then responds 503: it has acknowledged nothing.
        if (response.status === 503) continue;
        accepted.add(name);
        await onAccepted();
      }
    };
    await Promise.all(Array.from({ length: 4 }, sender));
  }

  async function readStoredNames(): Promise<string[]> {
    const admin = new Visitor(site.url);
    // A busy machine is slow, and the site then responds 503.
    await expect.poll(async () => (await admin.signIn()).status, polling).toBe(303);
    let csv = "";
    const read = async () => {
      const { status, html } = await admin.post("/admin/submissions.csv", { separator: "comma" });
      csv = html;
      return status;
    };
    await expect.poll(read, polling).toBe(200);
    return [...csv.matchAll(/^"[^"]+","[^"]+","(Round \d+ visitor \d+)",/gm)].map(([, name]) => name ?? "");
  }

  /**
   * Counts the emails about all messages, or about those from one address. Leaves out the notifications about sign-ins
   * on new devices, which the readers above cause, and about the restart after a kill.
   */
  async function countMails(about = ""): Promise<number> {
    const folder = join(dataDir, "mail");
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".eml"));
    const mails = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8").catch(() => "")));
    return mails.filter((mail) => mail !== "" && mail.includes(about) && !other.test(mail)).length;
  }
});
