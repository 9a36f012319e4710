import { once } from "node:events";
import { type Socket, connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findFreePort } from "../support/free-port";
import { type Product, startProduct } from "../support/product";
import { type FloodReport, flood, getLines } from "./flood";
import { type Meetings, meetNewcomers, visit } from "./newcomers";
import { readPeakMemoryMb } from "./watch-site";

const origin = "http://firm.example";
const unfinished = (headers = "") =>
  `POST /contact HTTP/1.1\r\nHost: firm.example\r\nOrigin: ${origin}\r\n${headers}` +
  "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nx";

let product: Product;
let metrics: number;
let sockets: Socket[];
beforeEach(() => (sockets = []));
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await product.stop();
});

async function start(trustedProxies: string): Promise<void> {
  metrics = await findFreePort();
  const settings = { SITE_URL: origin, TRUSTED_PROXIES: trustedProxies, METRICS_PORT: String(metrics) };
  product = await startProduct(settings, { timeouts: "production" });
}

/** A busy machine is slow. A site without a free slot resets connections, or makes them wait for 10 s. */
const slowestMs = 8_000;

function expectServed(met: Meetings): void {
  expect(Object.keys(met.page.statuses), "a cached page").toEqual(["200"]);
  expect(Object.keys(met.health.statuses), "/healthz").toEqual(["200"]);
  expect(Object.keys(met.form.statuses), "the contact form").toEqual(["303"]);
  expect(Math.max(met.page.worstMs, met.health.worstMs)).toBeLessThan(slowestMs);
  expect(readPeakMemoryMb(product)).toBeLessThan(500);
}

async function readRefusals(): Promise<Record<string, number>> {
  const figures = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
  const lines = figures.matchAll(/^site_refused_total\{cause="([\w-]+)"\} (\d+)$/gm);
  return Object.fromEntries([...lines].map(([, cause, count]) => [cause, Number(count)]));
}

describe("a flood of unfinished request bodies", () => {
  it("from one client behind a proxy leaves newcomers served, over any number of connections", async () => {
    await start("1");
    const bytes = unfinished("X-Forwarded-For: 203.0.113.5\r\n");
    const attacks: Promise<FloodReport>[] = [];
    for (let begun = 0; begun < 2_205; begun += 105) {
      attacks.push(flood(product.url, bytes, { connections: 105, quietMs: 6_000 }));
      await wait(50);
    }
    const met = await meetNewcomers(
      (number) => ({
        origin: product.url,
        headers: { Host: "firm.example", Origin: origin, "X-Forwarded-For": `198.51.100.${number}` },
      }),
      2_000,
    );
    expectServed(met);
    const reports = await Promise.all(attacks);
    const statuses = new Set(reports.flatMap((report) => Object.keys(report.statuses)));
    expect([...statuses]).toEqual(["503"]);
    const refused = reports.reduce((sum, report) => sum + (report.statuses["503"] ?? 0), 0);
    // All but eight are rejected, if the site responds before the clients give up.
    expect(refused).toBeGreaterThan(200);
    expect((await readRefusals())["bodies-of-one-client"]).toBeGreaterThanOrEqual(refused);
    const line = '"event":"places.refused","cause":"bodies-of-one-client","count":';
    expect(product.output()).toContain(line);
    expect(product.output().split(line).length).toBeLessThan(4);
    expect(product.output()).not.toContain("203.0.113.5");
  });

  it("from many clients loses its slots to newcomers, the largest network first", async () => {
    await start("1");
    const ofNetwork = Array.from({ length: 240 }, (_, client) => `2001:db8:77:${client.toString(16)}::1`);
    const ofOthers = Array.from({ length: 60 }, (_, client) => `198.51.${100 + client}.1`);
    const refused = new Set<string>();
    for (const address of [...ofNetwork, ...ofOthers]) {
      const post = await startPost(`X-Forwarded-For: ${address}\r\n`);
      void post.response.then((head) => head.startsWith("HTTP/1.1 503") && refused.add(address));
    }
    await expect.poll(() => refused.size, { timeout: 7_000 }).toBe(100);
    const late = await startPost("X-Forwarded-For: 192.0.2.1\r\n");
    await expect.poll(() => refused.size, { timeout: 7_000 }).toBe(101);
    late.finish();
    expect((await late.response).slice(0, 12)).toBe("HTTP/1.1 400");
    // No client outside that network lost its slot.
    expect([...refused].filter((address) => !ofNetwork.includes(address))).toEqual([]);
    expect((await readRefusals()).bodies).toBe(101);
  });
});

describe("idle connections without a proxy", () => {
  it("from four addresses are closed in favor of newcomers", async () => {
    await start("0");
    const attackers = ["127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5"];
    for (const localAddress of attackers)
      for (let opened = 0; opened < 500; opened += 100)
        sockets.push(...(await Promise.all(Array.from({ length: 100 }, () => keepOpen(localAddress)))));
    const kept = sockets.filter(({ destroyed }) => !destroyed);

    expect(kept.length).toBeGreaterThan(1_900);
    const met = await meetNewcomers(
      () => ({ origin: product.url, headers: { Host: "firm.example", Origin: origin } }),
      2_000,
    );
    expectServed(met);
    const health = await visit({ origin: product.url, localAddress: "127.0.0.1" }, "/healthz");
    expect(health.status).toBe(200);

    // Closed clients reconnect and the others send another request; newcomers are still served.
    for (const socket of kept) if (!socket.destroyed) socket.write(getLines("/healthz"));
    for (const localAddress of attackers)
      sockets.push(...(await Promise.all(Array.from({ length: 30 }, () => keepOpen(localAddress)))));

    expectServed(
      await meetNewcomers(() => ({ origin: product.url, headers: { Host: "firm.example", Origin: origin } }), 1_000),
    );
    expect((await readRefusals()).connections).toBeGreaterThan(20);
    expect(product.output()).toContain('"event":"places.refused","cause":"connections","count":');
  });
});

/** Sends a form post with one body byte. The rest follows on `finish`. */
async function startPost(headers: string): Promise<{ response: Promise<string>; finish(): void }> {
  const socket = await open("127.0.0.2");
  sockets.push(socket);
  const response = new Promise<string>((resolve) => socket.once("data", (chunk) => resolve(chunk.toString())));
  socket.write(unfinished(headers));
  return { response, finish: () => void socket.write("y".repeat(99)) };
}

async function open(localAddress: string): Promise<Socket> {
  const socket = connect({ port: Number(new URL(product.url).port), host: "127.0.0.1", localAddress });
  // Treat an ended and a reset connection alike.
  socket.on("error", () => socket.destroy());
  await Promise.race([once(socket, "connect"), once(socket, "close")]);
  return socket;
}

/** Opens a keep-alive connection and sends one request. */
async function keepOpen(localAddress: string): Promise<Socket> {
  const socket = await open(localAddress);
  if (!socket.destroyed) socket.write(getLines("/healthz"));
  await Promise.race([once(socket, "data"), once(socket, "close")]);
  socket.resume();
  return socket;
}
