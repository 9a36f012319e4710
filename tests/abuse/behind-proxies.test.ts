import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Front, newFront, reachFront } from "../operations/support/front";
import {
  hasCaddy,
  hasNginx,
  startRepositoryCaddy,
  startRepositoryNginx,
  stopProgram,
  takesNewOptions,
} from "../operations/support/proxy-programs";
import { type Product, makeDataDir, startProduct } from "../support/product";
import { meetNewcomers, served } from "./newcomers";

const programs: ChildProcess[] = [];
let product: Product;
/** of the proxy under test */
let front: Front;
let origin: string;

if (hasCaddy || hasNginx) {
  beforeAll(async () => {
    front = await newFront();
    origin = `https://firm.example:${front.https}`;
    const settings = { SITE_URL: origin, TRUSTED_PROXIES: "1", POST_RATE_LIMIT: "10" };
    product = await startProduct(settings, { timeouts: "production" });
  });
  afterAll(() => product.stop());
}
afterEach(async () => {
  for (const program of programs.splice(0).toReversed()) await stopProgram(program);
});

const upstream = () => `127.0.0.1:${new URL(product.url).port}`;

/** Starts Caddy with the repository's file. @param change edits it */
async function startCaddy(change?: (file: string) => string): Promise<void> {
  const environment = { SITE_URL: origin, UPSTREAM: upstream() };
  programs.push(await startRepositoryCaddy(await makeDataDir(), environment, { front, change }));
}

/** Holds streams open at a proxy. Returns once all have started. */
async function attack(connections: number, streams: number, kind: "post" | "read"): Promise<void> {
  const words = ["tests/abuse/unfinished-streams.mjs", front.https, connections, streams, kind].map(String);
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  programs.push(child);
  await once(child.stdout, "data");
}

/** Over all tests, because the limit of posts is, too. */
let lastNewcomer = 0;

/** Sends newcomers for some time, each from another address. @returns the statuses of their responses */
async function meet(forMs: number) {
  await reachFront(front, origin);
  const headers = { Host: new URL(origin).host, Origin: origin };
  const next = () => ({ origin, localAddress: `127.0.9.${++lastNewcomer % 250}`, headers });
  // Two thousand streams also keep the proxy and this machine busy.
  return meetNewcomers(product, next, forMs, 5_000);
}

/** Attacks, and meets newcomers meanwhile. @returns their statuses, and true if the site refused a stream */
async function meetDuring(connections: number, streams: number, kind: "post" | "read") {
  const before = product.output().length;
  await attack(connections, streams, kind);
  const met = await meet(2_000);
  return { ...met, isRefused: product.output().slice(before).includes('"event":"places.refused"') };
}

describe.skipIf(!hasCaddy)("behind Caddy with deploy/Caddyfile (skipped without Caddy)", () => {
  it.each(["post", "read"] as const)(
    "serves newcomers during 2,205 endless streams of one address (%s)",
    async (kind) => {
      // Stalled posts end while newcomers arrive: the proxy then passes all of them to the site together.
      await startCaddy((file) => file.replace("read_timeout 5m", "read_timeout 3s"));
      expect(await meet(300)).toEqual(served);
      await attack(9, 245, kind);
      expect(await meet(4_000)).toEqual(served);
    },
  );

  it.skipIf(!takesNewOptions)("keeps endless posts in Caddy until they time out (skipped with Debian's)", async () => {
    await startCaddy();
    expect(await meet(300)).toEqual(served);
    expect(await meetDuring(9, 245, "post")).toEqual({ ...served, isRefused: false });
  });
});

describe.skipIf(!hasNginx)("behind nginx with deploy/nginx.conf (skipped without nginx and OpenSSL)", () => {
  it.each(["post", "read"] as const)(
    "serves newcomers during 2,200 endless streams of one address, which nginx keeps to itself (%s)",
    async (kind) => {
      programs.push(await startRepositoryNginx(await makeDataDir(), front, upstream()));
      expect(await meet(300)).toEqual(served);
      expect(await meetDuring(22, 100, kind)).toEqual({ ...served, isRefused: false });
    },
  );
});
