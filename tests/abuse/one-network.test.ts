import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { type Product, startProduct } from "../support/product";
import { filledContactForm } from "../support/visitor";
import { type Visit, visit } from "./newcomers";
import { host, startPosts } from "./crowd-posts";
import { expectBystandersServed } from "./watch-site";

const inOneRun = 20;

it("accepts forms from others during 150 concurrent posts from one IPv6 /48", async () => {
  // A high limit, because the default one would soon reject the posts: this test is about the queue.
  const settings = { SITE_URL: `http://${host}`, TRUSTED_PROXIES: "1", POST_RATE_LIMIT: "100000" };
  const product = await startProduct(settings, { timeouts: "production" });
  try {
    // A new process is slow at first. The second run measures how busy this machine is.
    await sendForms(product, 0);
    const quietMs = Math.max(...(await sendForms(product, 1)).map(({ ms }) => ms));
    const forms: Visit[] = [];
    const statuses = await expectBystandersServed(product, async () => {
      const crowd = startPosts(product, "one-network");
      for (const run of [2, 3, 4]) {
        await wait(700);
        forms.push(...(await sendForms(product, run)));
      }
      return crowd.stop();
    });
    const boundMs = Math.max(3_000, 8 * quietMs);
    const taken = forms.filter(({ status, ms }) => status === 303 && ms < boundMs);
    expect(taken.length, JSON.stringify({ quietMs, forms, statuses })).toBeGreaterThanOrEqual(57);
    for (const status of Object.keys(statuses)) expect(["400", "503"]).toContain(status);
    // More posts arrived than there are slots.
    expect(statuses["503"]).toBeGreaterThan(50);
  } finally {
    await product.stop();
  }
});

/** Sends valid forms concurrently, each from a different IPv4 client. */
function sendForms(product: Product, run: number): Promise<Visit[]> {
  const clients = Array.from({ length: inOneRun }, (_, number) => run * inOneRun + number + 1);
  return Promise.all(
    clients.map((client) => {
      const headers = { Host: host, Origin: `http://${host}`, "X-Forwarded-For": `198.51.100.${client}` };
      return visit({ origin: product.url, headers }, "/contact", { ...filledContactForm, message: `From ${client}` });
    }),
  );
}
