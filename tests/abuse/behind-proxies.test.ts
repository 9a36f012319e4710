import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  startNginx,
  startRepositoryCaddy,
  stopProgram,
  takesOurCaddyfile,
  hasNginx,
} from "../operations/support/proxy-programs";
import { findFreePort } from "../support/free-port";
import { type Product, makeDataDir, startProduct } from "../support/product";
import { type Newcomer, meetNewcomers, visit } from "./newcomers";
import { readPeakMemoryMb } from "./watch-site";

const patience = { timeout: 60_000, interval: 100 };
const programs: ChildProcess[] = [];
let product: Product;

afterEach(async () => {
  for (const program of programs.splice(0).toReversed()) await stopProgram(program);
  await product.stop();
});

/** A site that believes its proxy, and a free port for that. */
async function startSite(
  postRateLimit = "0",
): Promise<{ http: number; https: number; origin: string; upstream: string }> {
  const [http, https] = [await findFreePort(), await findFreePort()];
  const origin = `https://firm.example:${https}`;
  product = await startProduct({ SITE_URL: origin, TRUSTED_PROXIES: "1", POST_RATE_LIMIT: postRateLimit });
  return { http, https, origin, upstream: `127.0.0.1:${new URL(product.url).port}` };
}

/** Holds streams open at a proxy; returns once all have begun. */
async function attack(https: number, connections: number, streams: number, way: "post" | "read"): Promise<void> {
  const words = ["tests/abuse/unfinished-streams.mjs", https, connections, streams, way].map(String);
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  programs.push(child);
  await once(child.stdout, "data");
}

/** Newcomers at the proxy, each at an address of its own. */
async function expectServed(origin: string, forMs: number): Promise<void> {
  const newcomer = (number: number): Newcomer => ({
    origin,
    servername: "firm.example",
    localAddress: `127.0.9.${number % 250}`,
    headers: { Host: new URL(origin).host, Origin: origin },
  });
  await vi.waitFor(async () => expect((await visit(newcomer(1), "/healthz")).status).toBe(200), patience);
  const met = await meetNewcomers((number) => newcomer(number + 1), forMs);
  expect(Object.keys(met.page.statuses), "a page from memory").toEqual(["200"]);
  expect(Object.keys(met.health.statuses), "/healthz").toEqual(["200"]);
  expect(Object.keys(met.form.statuses), "the contact form").toEqual(["303"]);
  // Two thousand streams keep the proxy and this machine busy, too.
  expect(Math.max(met.page.worstMs, met.health.worstMs)).toBeLessThan(5_000);
  expect(readPeakMemoryMb(product)).toBeLessThan(500);
}

describe.skipIf(!takesOurCaddyfile)("behind compose's Caddy (skipped without Caddy 2.10 or later)", () => {
  it.each(["post", "read"] as const)(
    "2,205 streams of one address that never end keep no one out (%s)",
    async (way) => {
      const { http, https, origin, upstream } = await startSite();
      // They end while newcomers come: then the proxy tells the site of all of them at once.
      const change = (caddyfile: string) => caddyfile.replace("read_timeout 5m", "read_timeout 3s");
      const ports = `http_port ${http}\nhttps_port ${https}`;
      programs.push(
        await startRepositoryCaddy(
          await makeDataDir(),
          { SITE_URL: origin, UPSTREAM: upstream },
          { options: ports, change },
        ),
      );
      await expectServed(origin, 300);
      await attack(https, 9, 245, way);
      await expectServed(origin, 4_000);
    },
  );
});

describe.skipIf(!hasNginx)("behind nginx with deploy/nginx.conf (skipped without nginx and OpenSSL)", () => {
  it.each(["post", "read"] as const)(
    "2,200 streams of one address that never end keep no one out (%s)",
    async (way) => {
      const { http, https, origin, upstream } = await startSite();
      programs.push(await startRepositoryNginx({ http, https, upstream }));
      await expectServed(origin, 300);
      await attack(https, 22, 100, way);
      await expectServed(origin, 2_000);
    },
  );

  it("leads www and http to the one address, and tells the site who visits", async () => {
    const { http, https, origin, upstream } = await startSite("3");
    programs.push(await startRepositoryNginx({ http, https, upstream }));
    await expectServed(origin, 1);
    for (const [scheme, port, host] of [
      ["http", http, "firm.example"],
      ["http", http, "www.firm.example"],
      ["https", https, "www.firm.example"],
    ] as const) {
      const newcomer = { origin: `${scheme}://firm.example:${port}`, servername: host, headers: { Host: host } };
      const { status, location } = await visit(newcomer, "/about?a=b");
      expect([status, location]).toEqual([308, "https://firm.example/about?a=b"]);
    }
    const forms = async (localAddress: string) => {
      const newcomer = {
        origin,
        servername: "firm.example",
        localAddress,
        headers: { Host: new URL(origin).host, Origin: origin },
      };
      const statuses: unknown[] = [];
      for (let count = 0; count < 4; count++) statuses.push((await visit(newcomer, "/contact", {})).status);
      return statuses;
    };
    expect((await forms("127.0.0.7")).at(-1)).toBe(429);
    expect((await forms("127.0.0.8"))[0]).toBe(400);
    expect(product.output()).not.toContain('"event":"setup.fewer-proxies"');
  });
});

async function startRepositoryNginx({ http, https, upstream }: { http: number; https: number; upstream: string }) {
  const folder = await makeDataDir();
  const site = (await readFile("deploy/nginx.conf", "utf8"))
    .replaceAll(/listen (\[::\]:)?80;/g, (_, v6) => (v6 ? "" : `listen 127.0.0.1:${http};`))
    .replaceAll(/listen (\[::\]:)?443 ssl http2;/g, (_, v6) => (v6 ? "" : `listen 127.0.0.1:${https} ssl http2;`))
    .replaceAll("/etc/letsencrypt/live/firm.example/fullchain.pem", `${folder}/cert.pem`)
    .replaceAll("/etc/letsencrypt/live/firm.example/privkey.pem", `${folder}/key.pem`)
    .replace("127.0.0.1:3000", upstream);
  return startNginx(folder, ["firm.example", "www.firm.example"], site);
}
