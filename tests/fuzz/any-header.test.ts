import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isEverything } from "../support/everything";
import { findFreePort } from "../support/free-port";
import { type Product, startProduct } from "../support/product";
import { exchangeOne } from "./support/exchange";
import { requireQuietLog, share } from "./support/prove";
import { type RawRequest, rawRequests } from "./support/raw-requests";

const seed = Number(process.env.FUZZ_SEED ?? 20_261_126);
const requestCount = share(100_000);
const concurrency = 16;
const batchSize = 1_000;
/**
 * Milliseconds until a request is given up. Only a complete one must get a response, even on a busy machine.
 */
const timeoutsMs = { some: 100, none: 1, sure: 30_000 };

let product: Product;
let ports: Record<RawRequest["to"], number>;

beforeAll(async () => {
  const METRICS_PORT = String(await findFreePort());
  // `/readyz` honestly says 503 if its probe is late, as on a starved machine.
  product = await startProduct({ METRICS_PORT, TRUSTED_PROXIES: "1" }, { timeouts: { probe: 60_000 } });
  ports = { site: Number(new URL(product.url).port), metrics: Number(METRICS_PORT) };
});
afterAll(async () => {
  await product.stop();
});

describe("generated headers on every kind of file and page", () => {
  it(`answers ${requestCount} requests without a failure or a crash`, async () => {
    const statuses: Record<string, number> = {};
    const begin = performance.now();
    for (let sent = 0; sent < requestCount; sent += batchSize) {
      const next = fc
        .sample(rawRequests, { seed: seed + sent, numRuns: Math.min(batchSize, requestCount - sent) })
        .values();
      const workers = Array.from({ length: concurrency }, async () => {
        for (const request of next) {
          const outcome = await sendAndCheck(request);
          statuses[outcome] = (statuses[outcome] ?? 0) + 1;
        }
      });
      await Promise.all(workers);
    }
    const seconds = (performance.now() - begin) / 1000;
    if (isEverything)
      console.log(`seed ${seed}: ${requestCount} requests in ${seconds.toFixed(0)} s ${JSON.stringify(statuses)}`);
    // The original process still runs and responds: it was not replaced.
    expect(process.kill(product.pid, 0)).toBe(true);
    expect((await fetch(product.url)).status).toBe(200);
    requireQuietLog(product);
    const figures = await (await fetch(`http://127.0.0.1:${ports.metrics}/metrics`)).text();
    expect(figures).toContain("\nsite_request_failures_total 0\n");
    for (const status of ["200", "304", "308", "400", "404", "405", "431"]) expect(statuses[status]).toBeGreaterThan(0);
  });
});

async function sendAndCheck({ to, method, bytes, answer }: RawRequest): Promise<string> {
  const { status, text } = await exchangeOne(ports[to], bytes, method, timeoutsMs[answer]);
  const isQueues = status === 503 && /^retry-after: 5\r$/im.test(text);
  const isFailure = (status >= 500 && !isQueues) || (status === 0 && answer === "sure");
  const isPart = status === 206 || status === 416 || /^(?:accept-ranges|content-range):/im.test(text);
  if (isFailure || isPart)
    throw new Error(`${status} to ${JSON.stringify(bytes.toString("latin1").slice(0, 2_000))} on ${to}`);
  return status === 0 ? "none" : String(status);
}
