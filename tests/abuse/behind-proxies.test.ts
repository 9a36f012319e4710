import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
  startRepositoryCaddy,
  startRepositoryNginx,
  stopProgram,
  hasCaddy,
  hasNginx,
  takesNewOptions,
} from "../operations/support/proxy-programs";
import { findFreePort } from "../support/free-port";
import { type Product, makeDataDir, startProduct } from "../support/product";
import { type Newcomer, meetNewcomers, visit } from "./newcomers";
import { readPeakMemoryMb } from "./watch-site";

const patience = { timeout: 60_000, interval: 100 };
const programs: ChildProcess[] = [];
let product: Product;
/** ports of the proxy under test */
let http: number;
let https: number;
let origin: string;

if (hasCaddy || hasNginx) {
  beforeAll(async () => {
    [http, https] = [await findFreePort(), await findFreePort()];
    origin = `https://firm.example:${https}`;
    const settings = { SITE_URL: origin, TRUSTED_PROXIES: "1", POST_RATE_LIMIT: "10" };
    product = await startProduct(settings, { timeouts: "production" });
  });
  afterAll(() => product.stop());
}
afterEach(async () => {
  for (const program of programs.splice(0).toReversed()) await stopProgram(program);
});

const upstream = () => `127.0.0.1:${new URL(product.url).port}`;

/** Holds streams open at a proxy. Returns once all have started. */
async function attack(connections: number, streams: number, kind: "post" | "read"): Promise<void> {
  const words = ["tests/abuse/unfinished-streams.mjs", https, connections, streams, kind].map(String);
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  programs.push(child);
  await once(child.stdout, "data");
}

/** Returns a newcomer who connects to the proxy. */
function from(localAddress: string): Newcomer {
  return { origin, servername: "firm.example", localAddress, headers: { Host: new URL(origin).host, Origin: origin } };
}

/** Over all tests, because the limit of posts is, too. */
let lastNewcomer = 0;

/** Sends newcomers for some time, each from a different address. @returns the statuses of their responses */
async function meet(forMs: number): Promise<{ page: string[]; health: string[]; form: string[] }> {
  await vi.waitFor(async () => expect((await visit(from("127.0.0.9"), "/healthz")).status).toBe(200), patience);
  const { page, health, form } = await meetNewcomers(() => from(`127.0.9.${++lastNewcomer % 250}`), forMs);
  // Two thousand streams also keep the proxy and this machine busy.
  expect(Math.max(page.worstMs, health.worstMs)).toBeLessThan(5_000);
  expect(readPeakMemoryMb(product)).toBeLessThan(500);
  const [ofPage, ofHealth, ofForm] = [page, health, form].map(({ statuses }) => Object.keys(statuses));
  return { page: ofPage ?? [], health: ofHealth ?? [], form: ofForm ?? [] };
}

/**
 * Expects that the proxy kept the streams to itself: the site, which would also survive them, refused none.
 * @param before length of the site's output before the attack
 */
function expectNoneRefused(before: number): void {
  expect(product.output().slice(before)).not.toContain('"event":"places.refused"');
}

const served = { page: ["200"], health: ["200"], form: ["303"] };

/**
 * Shortens the proxy's read timeout, so that stalled posts end while newcomers arrive: the proxy then passes all of
 * them to the site together.
 */
const hasten = (file: string) => file.replace("read_timeout 5m", "read_timeout 3s");

/** Posts one form more than the limit allows. @returns the first and the last status */
async function postTooOften(localAddress: string): Promise<[first: unknown, last: unknown]> {
  const statuses: unknown[] = [];
  for (let count = 0; count < 11; count++) statuses.push((await visit(from(localAddress), "/contact", {})).status);
  return [statuses[0], statuses.at(-1)];
}

describe.skipIf(!hasCaddy)("behind Caddy with deploy/Caddyfile (skipped without Caddy)", () => {
  it.each(["post", "read"] as const)(
    "serves newcomers during 2,205 endless streams from one address (%s)",
    async (kind) => {
      const ports = `http_port ${http}\nhttps_port ${https}`;
      programs.push(
        await startRepositoryCaddy(
          await makeDataDir(),
          { SITE_URL: origin, UPSTREAM: upstream() },
          { options: ports, change: hasten },
        ),
      );
      expect(await meet(300)).toEqual(served);
      await attack(9, 245, kind);
      expect(await meet(4_000)).toEqual(served);
    },
  );

  it.skipIf(!takesNewOptions)("keeps endless posts in Caddy until they time out (skipped with Debian's)", async () => {
    const ports = `http_port ${http}\nhttps_port ${https}`;
    const environment = { SITE_URL: origin, UPSTREAM: upstream() };
    programs.push(await startRepositoryCaddy(await makeDataDir(), environment, { options: ports }));
    expect(await meet(300)).toEqual(served);
    const before = product.output().length;
    await attack(9, 245, "post");
    expect(await meet(2_000)).toEqual(served);
    expectNoneRefused(before);
  });
});

describe.skipIf(!hasNginx)("behind nginx with deploy/nginx.conf (skipped without nginx and OpenSSL)", () => {
  it.each(["post", "read"] as const)(
    "serves newcomers during 2,200 endless streams from one address (%s)",
    async (kind) => {
      programs.push(await startRepositoryNginx(await makeDataDir(), { http, https }, upstream()));
      expect(await meet(300)).toEqual(served);
      const before = product.output().length;
      await attack(22, 100, kind);
      expect(await meet(2_000)).toEqual(served);
      expectNoneRefused(before);
    },
  );

  it("redirects www and http to the site's origin, and passes the client address on", async () => {
    programs.push(await startRepositoryNginx(await makeDataDir(), { http, https }, upstream()));
    expect(await meet(1)).toEqual(served);
    for (const [scheme, port, host] of [
      ["http", http, "firm.example"],
      ["http", http, "www.firm.example"],
      ["https", https, "www.firm.example"],
    ] as const) {
      const newcomer = { origin: `${scheme}://firm.example:${port}`, servername: host, headers: { Host: host } };
      const { status, location } = await visit(newcomer, "/about?a=b");
      expect([status, location]).toEqual([308, "https://firm.example/about?a=b"]);
    }
    expect(await postTooOften("127.0.0.7")).toEqual([400, 429]);
    expect(await postTooOften("127.0.0.8")).toEqual([400, 429]);
    expect(product.output()).not.toContain('"event":"setup.fewer-proxies"');
  });
});
