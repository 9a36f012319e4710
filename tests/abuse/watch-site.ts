import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import type { Product } from "../support/product";

/** A local address that no attack uses: to the site, a different client. */
const bystander = "127.0.0.9";
const everyMs = 25;
/** Responses required from each server before an attack starts. */
const responsesBefore = 4;

/**
 * Permitted effect of an attack on others (in milliseconds and megabytes). On a busy machine the limits scale with the
 * time of a page; on an idle one, a page takes 10 ms to render.
 */
const bounds = { worstMs: 250, worstInPages: 25, medianMs: 50, medianInPages: 5, memoryMb: 500 };

/**
 * Runs an attack while a bystander requests `/healthz` and a cached page, then checks its effect.
 * @returns the result of the attack
 */
export async function expectBystandersServed<Report>(product: Product, attack: () => Promise<Report>): Promise<Report> {
  // An otherwise idle server, whose times are the share of this machine and this process.
  const program = `const s = require("node:http").createServer((_, r) => r.end("ok")).listen(0, "127.0.0.1", () => console.log(s.address().port));`;
  const idle = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  const [port] = (await once(idle.stdout, "data")) as [Buffer];
  const over = new AbortController();
  try {
    const pageMs = await timePages(product);
    const control: Watched = { url: `http://127.0.0.1:${String(port).trim()}/`, times: [] };
    const watched: Watched[] = ["/healthz", "/about"].map((path) => ({ url: product.url + path, times: [] }));
    const all = [control, ...watched];
    const watching = Promise.all(all.map((each) => watch(each, over.signal)));
    // The bystander is connected before the attack: this measures how visitors are served, not how they connect.
    const isConnected = async () => {
      while (all.some(({ times }) => times.length < responsesBefore)) await wait(everyMs);
    };
    await Promise.race([watching, isConnected()]);
    const report = await attack().finally(() => over.abort());
    await watching;
    const noiseMs = Math.max(...control.times);
    const seen = `a page took ${pageMs.toFixed(1)} ms before, the control ${noiseMs.toFixed(1)} ms at worst`;
    for (const { url, times } of watched) {
      const worstMs = Math.max(bounds.worstMs, bounds.worstInPages * pageMs) + noiseMs;
      expect(Math.max(...times), `slowest of ${url}; ${seen}`).toBeLessThan(worstMs);
      const medianMs = Math.max(bounds.medianMs, bounds.medianInPages * pageMs);
      expect(median(times), `median of ${url}; ${seen}`).toBeLessThan(medianMs + median(control.times));
    }
    expect(readPeakMemoryMb(product)).toBeLessThan(bounds.memoryMb);
    expect(await timePages(product), `afterwards; ${seen}`).toBeLessThan(3 * pageMs + noiseMs);
    return report;
  } finally {
    over.abort();
    idle.kill();
  }
}

interface Watched {
  url: string;
  /** response times in milliseconds */
  times: number[];
}

async function watch({ url, times }: Watched, over: AbortSignal): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (!over.aborted || times.length === 0) {
    const { status, ms } = await get(url, agent);
    expect(status, url).toBe(200);
    times.push(ms);
    await wait(everyMs);
  }
  agent.destroy();
}

/** Sends one request and reads the complete response. */
async function get(url: string, agent: Agent): Promise<{ status: number; ms: number }> {
  const begin = performance.now();
  const sent = request(url, { agent, localAddress: bystander, family: 4 });
  sent.end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  await buffer(response);
  return { status: response.statusCode ?? 0, ms: performance.now() - begin };
}

/** Returns the median time of some pages that the site renders for each request. */
async function timePages({ url }: Product): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  while (times.length < 15) times.push((await get(`${url}/about?cookie-preferences=open`, agent)).ms);
  agent.destroy();
  return median(times);
}

const median = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;

/** Returns the product's peak memory since its start (Linux). */
export function readPeakMemoryMb(product: Product): number {
  const status = readFileSync(`/proc/${product.pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}
