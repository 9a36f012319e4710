import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeBackup } from "#supabase/embedded/backups/backup.ts";
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

const polling = { timeout: 60_000, interval: 200 };

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
    "loses no acknowledged submission, and a backup before the next start has all (round %i)",
    async (round) => {
      const killAfter = Math.round((mostAccepted * (round + 0.5)) / (rounds + 1));
      const before = accepted.size;
      await sendStream(round, async () => {
        if (accepted.size - before === killAfter) await product.kill();
      });
      expect(accepted.size - before).toBeGreaterThanOrEqual(killAfter);
      const { manifest } = await makeBackup(dataDir);
      const inBackup = manifest.tables.find(({ name }) => name === "public.contact_submissions")?.rows;
      expect(inBackup).toBeGreaterThanOrEqual(accepted.size);
      site = round < rounds ? (product = await startProduct({}, { dataDir })) : await startSite({}, { dataDir });
      const stored = await readStoredNames();
      for (const name of accepted) expect(stored.filter((one) => one === name).length, name).toBe(1);
    },
  );

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
});
