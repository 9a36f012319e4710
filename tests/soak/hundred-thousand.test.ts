import { readFileSync } from "node:fs";
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { requireQuietLog } from "../fuzz/support/prove";
import { asHeaderText } from "../fuzz/support/texts";
import { type Product, startProduct } from "../support/product";
import { type RandomRequest, randomRequests } from "./random-requests";

const seed = Number(process.env.FUZZ_SEED ?? 20_261_122);
const wanted = Number(process.env.FUZZ_REQUESTS ?? 100_000);
const concurrency = 16;
const maxMs = 15 * 60_000;

let product: Product;
beforeAll(async () => {
  product = await startProduct({}, { timeouts: "production" });
});
afterAll(async () => {
  await product.stop();
});

it(`survives ${wanted} random requests without a failure or a memory leak`, async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const statuses: Record<string, number> = {};
  const memory: number[] = [];
  const begin = performance.now();
  let framework = 0;
  let storing = 0;
  for (let sent = 0; sent < wanted; sent += 1_000) {
    const batch = fc.sample(randomRequests, { seed: seed + sent, numRuns: Math.min(1_000, wanted - sent) });
    const next = batch.values();
    await Promise.all(
      Array.from({ length: concurrency }, async () => {
        for (const random of next) {
          const outcome = await send(agent, random);
          statuses[outcome.status] = (statuses[outcome.status] ?? 0) + 1;
          if (outcome.isRendered) framework += 1;
          if (outcome.isStored) storing += 1;
          if (outcome.isFailure) requireQuietLog(product);
          if (outcome.isFailure) throw new Error(`${outcome.status} to ${JSON.stringify(random).slice(0, 2_000)}`);
        }
      }),
    );
    memory.push(readMemoryMb());
  }
  agent.destroy();
  const seconds = (performance.now() - begin) / 1000;
  const [early = 0, last = 0] = [average(memory, 0.1, 0.3), average(memory, 0.8, 1)];
  console.log(
    `seed ${seed}: ${wanted} requests in ${seconds.toFixed(0)} s, ${framework} rendered, ${storing} stored, ` +
      `memory ${early.toFixed(0)} MB early and ${last.toFixed(0)} MB at the end\n${JSON.stringify(statuses)}\n` +
      `memory over time (MB): ${tenths(memory).join(" ")}`,
  );
  requireQuietLog(product);
  expect(framework / wanted).toBeGreaterThanOrEqual(0.4);
  expect(storing / wanted).toBeGreaterThanOrEqual(0.05);
  expect(last).toBeLessThanOrEqual(1.1 * early);
  expect(seconds * 1000).toBeLessThan(maxMs);
});

/** Sends a request. A failure is any 5xx except the render queue's 503, which has a Retry-After header. */
async function send(agent: Agent, { method, path, headers, body }: RandomRequest) {
  const origin = method === "POST" ? { Origin: product.url, "Content-Length": String(body?.length ?? 0) } : {};
  const given = Object.entries({ "Accept-Encoding": "br", ...origin, ...headers });
  const sent = request(product.url, {
    agent,
    method,
    path,
    headers: Object.fromEntries(given.map(([name, value]) => [name, asHeaderText(value)])),
  });
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  await buffer(response);
  const status = response.statusCode ?? 0;
  const isRefused = status === 503 && response.headers["retry-after"] === "5";
  const isAccepted = method === "POST" && (status === 303 || status === 204);
  return {
    status,
    isRendered: response.headers["x-request-id"] !== undefined && !isRefused,
    isStored: isAccepted && ["/contact", "/data-rights", "/consent"].includes(path),
    isFailure: status >= 500 && !isRefused,
  };
}

function readMemoryMb(): number {
  const status = readFileSync(`/proc/${product.pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

/** Returns ten evenly spaced values: a curve that flattens is a process warming up, one that keeps rising is a leak. */
function tenths(values: number[]): number[] {
  return Array.from({ length: 10 }, (_, tenth) => Math.round(values[Math.floor((tenth * values.length) / 10)] ?? 0));
}

function average(values: number[], from: number, to: number): number {
  const part = values.slice(Math.floor(values.length * from), Math.ceil(values.length * to));
  return part.reduce((sum, value) => sum + value, 0) / part.length;
}
