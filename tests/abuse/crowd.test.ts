import { spawn } from "node:child_process";
import { Agent } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { filledContactForm } from "../support/visitor";
import { type Product, startProduct } from "../support/product";
import { get, median, quantile } from "./watch-site";

let product: Product;
beforeAll(async () => {
  const settings = { POST_RATE_LIMIT: "20", SITE_URL: "http://firm.example" };
  product = await startProduct(settings, { timeouts: "production" });
});
afterAll(async () => {
  await product.stop();
});

/** The site renders all but the second for each request. */
const paths = ["/?cookie-preferences=open&x=1", "/nothing/here", `/data-rights/status?token=${"A".repeat(43)}`];

/** Starts two hundred clients at a hundred addresses, none of them the visitor's. */
function startCrowd(): { stop(): Promise<Record<string, number>> } {
  const child = spawn(process.execPath, ["tests/abuse/crowd.mjs", product.url, "200", ...paths], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return {
    async stop() {
      child.kill("SIGTERM");
      return JSON.parse(await text(child.stdout)) as Record<string, number>;
    },
  };
}

it("serves a visitor's pages and form quickly while 200 clients request rendered pages without pause", async () => {
  const quiet = await timePages(40);
  const crowd = startCrowd();
  await wait(1_500);
  const slowest: number[] = [];
  const forms: { status: number; ms: number }[] = [];
  for (let round = 0; round < 5; round++) {
    slowest.push(quantile(await timePages(40), 0.99));
    forms.push(await sendMessage(round));
  }
  const statuses = await crowd.stop();
  // On a busy machine the limit scales with the quiet time of a cached page, which is a millisecond on an idle one. The
  // median ignores a disturbance of a single round.
  expect(median(slowest)).toBeLessThan(Math.max(100, 50 * median(quiet)));
  expect(forms.map(({ status }) => status)).toEqual(forms.map(() => 303));
  for (const { ms } of forms) expect(ms).toBeLessThan(3_000);
  expect(Object.keys(statuses).toSorted()).toEqual(["200", "404", "503"]);
});

async function timePages(count: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  for (let page = 0; page < count; page++) times.push((await get(`${product.url}/about`, agent, "127.0.0.9")).ms);
  agent.destroy();
  return times;
}

async function sendMessage(round: number): Promise<{ status: number; ms: number }> {
  const begin = performance.now();
  const response = await fetch(`${product.url}/contact`, {
    method: "POST",
    redirect: "manual",
    headers: { Origin: "http://firm.example" },
    body: new URLSearchParams({ ...filledContactForm, message: `Message ${round}` }),
  });
  await response.body?.cancel();
  return { status: response.status, ms: performance.now() - begin };
}
