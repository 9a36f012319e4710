import { type Socket, connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { findFreePort } from "../support/free-port";
import { type Product, startProduct } from "../support/product";
import { type FloodReport, flood, getLines } from "./flood";
import { type Newcomer, meetNewcomers, served, visit } from "./newcomers";

const origin = "http://firm.example";
const headers = { Host: "firm.example", Origin: origin };

let product: Product;
let metrics: number;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await product.stop();
});

async function start(trustedProxies: string): Promise<void> {
  metrics = await findFreePort();
  const settings = { SITE_URL: origin, TRUSTED_PROXIES: trustedProxies, METRICS_PORT: String(metrics) };
  product = await startProduct(settings, { timeouts: "production" });
}

const meet = (newcomers: (number: number) => Newcomer, forMs: number) =>
  // A busy machine is slow. A site without a free slot resets connections, or makes them wait for 10 s.
  meetNewcomers(product, newcomers, forMs, 8_000);

async function readRefusals(): Promise<Record<string, number>> {
  const figures = await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
  const lines = figures.matchAll(/^site_refused_total\{cause="([\w-]+)"\} (\d+)$/gm);
  return Object.fromEntries([...lines].map(([, cause, count]) => [cause, Number(count)]));
}

it("serves newcomers while one client behind a proxy sends unfinished bodies over any number of connections", async () => {
  await start("1");
  const bytes =
    `POST /contact HTTP/1.1\r\nHost: firm.example\r\nOrigin: ${origin}\r\nX-Forwarded-For: 203.0.113.5\r\n` +
    "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nx";
  const attacks: Promise<FloodReport>[] = [];
  for (let begun = 0; begun < 2_205; begun += 105) {
    attacks.push(flood(product.url, bytes, { connections: 105, quietMs: 6_000 }));
    await wait(50);
  }
  const newcomer = (number: number) => ({
    origin: product.url,
    headers: { ...headers, "X-Forwarded-For": `198.51.100.${number}` },
  });
  expect(await meet(newcomer, 2_000)).toEqual(served);
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

it("closes idle connections of four addresses in favor of newcomers without a proxy", async () => {
  await start("0");
  const attackers = ["127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5"];
  const connectAll = async (count: number) => {
    for (const localAddress of attackers)
      for (let opened = 0; opened < count; opened += 100)
        sockets.push(
          ...(await Promise.all(Array.from({ length: Math.min(count, 100) }, () => keepOpen(localAddress)))),
        );
  };
  await connectAll(500);
  const kept = sockets.filter(({ destroyed }) => !destroyed);

  expect(kept.length).toBeGreaterThan(1_900);
  const newcomer = { origin: product.url, headers };
  expect(await meet(() => newcomer, 2_000)).toEqual(served);
  expect(await visit({ origin: product.url, localAddress: "127.0.0.1" }, "/healthz")).toBe(200);

  // Closed clients reconnect and the others send another request; newcomers are still served.
  for (const socket of kept) if (!socket.destroyed) socket.write(getLines("/healthz"));
  await connectAll(30);
  expect(await meet(() => newcomer, 1_000)).toEqual(served);
  expect((await readRefusals()).connections).toBeGreaterThan(20);
  expect(product.output()).toContain('"event":"places.refused","cause":"connections","count":');
});

/** Opens a keep-alive connection and sends one request. */
async function keepOpen(localAddress: string): Promise<Socket> {
  const socket = connect({ port: Number(new URL(product.url).port), host: "127.0.0.1", localAddress });
  // Treat an ended and a reset connection alike.
  socket.on("error", () => socket.destroy());
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.write(getLines("/healthz"));
  await Promise.race([new Promise((resolve) => socket.once("data", resolve)), closed]);
  socket.resume();
  return socket;
}
