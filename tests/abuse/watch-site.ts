import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import type { Product } from "../support/product";

/** What somebody else saw during an attack: times of whole answers in milliseconds. */
interface Latencies {
  health: number[];
  page: number[];
  /** of a server that does nothing else: what this machine and this process take by themselves */
  control: number[];
}

/** An address of this machine that no attack comes from: to the site, another client. */
const bystander = "127.0.0.9";
const everyMs = 25;
/** of each server, before an attack begins */
const answersBefore = 4;

/**
 * What an attack may cost everybody else (in milliseconds and megabytes). A machine that is busy with other things counts
 * in pages: on a quiet one, a page takes 10 ms to render.
 */
const bounds = { worstMs: 250, worstInPages: 25, medianMs: 50, medianInPages: 5, memoryMb: 500 };

/**
 * Runs an attack while a bystander asks for `/healthz` and for a page from memory, then looks at what it cost.
 * @returns what the attack returned
 */
export async function expectBystandersServed<Report>(product: Product, attack: () => Promise<Report>): Promise<Report> {
  const control = await startControl();
  const over = new AbortController();
  try {
    const pageMs = await timePages(product);
    const latencies: Latencies = { health: [], page: [], control: [] };
    const watching = Promise.all([
      watch(`${product.url}/healthz`, latencies.health, over.signal),
      watch(`${product.url}/about`, latencies.page, over.signal),
      watch(control.url, latencies.control, over.signal),
    ]);
    // They are connected by then: this measures how visitors are served, not how they get in.
    await Promise.race([watching, areAnswered(latencies, over.signal)]);
    const report = await attack().finally(() => over.abort());
    await watching;
    const noiseMs = Math.max(...latencies.control);
    const seen = `a page took ${pageMs.toFixed(1)} ms before, the control ${noiseMs.toFixed(1)} ms at worst`;
    for (const { name, times } of [
      { name: "/healthz", times: latencies.health },
      { name: "a page from memory", times: latencies.page },
    ]) {
      const worstMs = Math.max(bounds.worstMs, bounds.worstInPages * pageMs) + noiseMs;
      expect(Math.max(...times), `slowest of ${name}; ${seen}`).toBeLessThan(worstMs);
      const medianMs = Math.max(bounds.medianMs, bounds.medianInPages * pageMs);
      expect(median(times), `median of ${name}; ${seen}`).toBeLessThan(medianMs + median(latencies.control));
    }
    expect(readPeakMemoryMb(product)).toBeLessThan(bounds.memoryMb);
    expect(await timePages(product), `afterwards; ${seen}`).toBeLessThan(3 * pageMs + noiseMs);
    return report;
  } finally {
    over.abort();
    control.process.kill();
  }
}

async function watch(url: string, times: number[], over: AbortSignal): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (!over.aborted || times.length === 0) {
    const { status, ms } = await get(url, agent, bystander);
    expect(status, url).toBe(200);
    times.push(ms);
    await wait(everyMs);
  }
  agent.destroy();
}

async function areAnswered(latencies: Latencies, over: AbortSignal): Promise<void> {
  while (!over.aborted && Object.values(latencies).some((times) => times.length < answersBefore)) await wait(everyMs);
}

/** One request from an address of this machine; the answer is read whole. */
export async function get(
  url: string,
  agent: Agent,
  localAddress: string,
): Promise<{ status: number; ms: number; headers: IncomingMessage["headers"]; body: string }> {
  const begin = performance.now();
  const sent = request(url, { agent, localAddress, family: 4 });
  sent.end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const body = (await buffer(response)).toString();
  return { status: response.statusCode ?? 0, ms: performance.now() - begin, headers: response.headers, body };
}

/** The median of some pages that are rendered for one visitor. */
async function timePages(product: Product): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  for (let count = 0; count < 15; count++) {
    times.push((await get(`${product.url}/about?cookie-preferences=open`, agent, bystander)).ms);
  }
  agent.destroy();
  return median(times);
}

export function median(times: readonly number[]): number {
  return quantile(times, 0.5);
}

/** @param share 0.99 for what 99 of 100 did not exceed */
export function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The most memory that the product has held since its start (Linux). */
export function readPeakMemoryMb(product: Product): number {
  const status = readFileSync(`/proc/${product.pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

async function startControl(): Promise<{ url: string; process: ChildProcess }> {
  const program = `const s = require("node:http").createServer((_, r) => r.end("ok")).listen(0, "127.0.0.1", () => console.log(s.address().port));`;
  const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  const [chunk] = (await once(child.stdout, "data")) as [Buffer];
  return { url: `http://127.0.0.1:${chunk.toString().trim()}/`, process: child };
}
