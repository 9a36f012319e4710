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
    const newcomer = { origin: product.url, headers: { Host: "firm.example", Origin: origin } };
    expectServed(await meetNewcomers(() => newcomer, 2_000));
    const health = await visit({ origin: product.url, localAddress: "127.0.0.1" }, "/healthz");
    expect(health.status).toBe(200);

    // Closed clients reconnect and the others send another request; newcomers are still served.
    for (const socket of kept) if (!socket.destroyed) socket.write(getLines("/healthz"));
    for (const localAddress of attackers)
      sockets.push(...(await Promise.all(Array.from({ length: 30 }, () => keepOpen(localAddress)))));
    expectServed(await meetNewcomers(() => newcomer, 1_000));
    expect((await readRefusals()).connections).toBeGreaterThan(20);
    expect(product.output()).toContain('"event":"places.refused","cause":"connections","count":');
  });
});

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
