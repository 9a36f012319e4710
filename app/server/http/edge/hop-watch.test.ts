import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { createHopWatch } from "./hop-watch.server";

interface Sent {
  /** value of X-Forwarded-For; none unless given */
  trail?: string;
  peer?: string;
  headers?: Record<string, string>;
  url?: string;
}

/** Events that a site has warned of, after requests one after the other. */
function warned(trustedProxies: number, requests: Sent[], siteUrl = "https://firm.example"): string[] {
  const events: string[] = [];
  const settings = { siteUrl, siteUrlIsExplicit: true, trustedProxies };
  const watch = createHopWatch(settings, ({ event }) => events.push(event));
  for (const { trail, peer = "127.0.0.1", headers, url = "/" } of requests) {
    const all = { host: "firm.example", ...(trail === undefined ? {} : { "x-forwarded-for": trail }), ...headers };
    watch({ headers: all, url, socket: { remoteAddress: peer } } as unknown as IncomingMessage);
  }
  return events;
}

const times = (count: number, make: (i: number) => Sent): Sent[] => Array.from({ length: count }, (_, i) => make(i));
const visitor = (i: number) => `203.0.113.${i % 200}`;

describe("a setting that fits", () => {
  it.each<[string, number, (i: number) => Sent]>([
    ["no proxy", 0, () => ({})],
    ["one that appends or replaces", 1, (i) => ({ trail: visitor(i) })],
    ["two that append", 2, (i) => ({ trail: `${visitor(i)}, 10.0.0.2` })],
    [
      "Cloudflare and a proxy",
      2,
      (i) => ({ trail: `${visitor(i)}, 172.68.0.${i}`, headers: { "cf-connecting-ip": visitor(i) } }),
    ],
    [
      "Cloudflare's tunnel",
      1,
      (i) => ({ trail: visitor(i), headers: { "cf-ray": "x", "cf-connecting-ip": visitor(i) } }),
    ],
    ["CloudFront and a proxy", 2, (i) => ({ trail: `${visitor(i)}, 130.176.0.${i}`, headers: { "x-amz-cf-id": "x" } })],
    ["checks on the machine itself", 1, () => ({ headers: { host: "127.0.0.1:3000" } })],
    ["checks on the machine itself, by the site's name", 1, () => ({})],
    ["probes through one proxy fewer", 2, () => ({ trail: "10.0.0.7", url: "/readyz" })],
    [
      "robots that ask for an address, past the CDN",
      2,
      (i) => ({ trail: visitor(i), headers: { host: "198.51.100.1" } }),
    ],
    ["a peer that is no proxy of ours", 1, (i) => ({ trail: `${visitor(i)}, 10.0.0.2`, peer: "198.51.100.9" })],
  ])("%s is nothing to warn of", (_name, proxies, make) => {
    expect(warned(proxies, times(100, make))).toEqual([]);
  });
});

describe("one stranger", () => {
  const own = "198.51.100.7";

  it.each<[string, number, (i: number) => Sent]>([
    ["adds an entry to each request", 1, (i) => ({ trail: `10.0.0.${i}, ${own}` })],
    ["adds several", 1, (i) => ({ trail: `a, 1.2.3.4, 10.0.0.${i}, ${own}` })],
    ["claims to come through Cloudflare", 1, (i) => ({ trail: own, headers: { "cf-connecting-ip": visitor(i) } })],
    ["claims to come through CloudFront", 1, () => ({ trail: own, headers: { "x-amz-cf-id": "x" } })],
    ["goes past the CDN", 2, () => ({ trail: own })],
    ["has a whole IPv6 network", 1, (i) => ({ trail: `10.0.0.1, 2001:db8:7:${i.toString(16)}::1` })],
  ])("who %s makes no warning", (_name, proxies, make) => {
    expect(warned(proxies, times(100, make))).toEqual([]);
  });

  it("makes none among others by forging what a proxy would write", () => {
    const mixed = times(200, (i) => (i % 5 === 0 ? { trail: visitor(i) } : { trail: `1.2.3.4, 10.0.0.9` }));
    expect(warned(1, mixed)).toEqual([]);
    expect(
      warned(
        0,
        times(200, (i) => (i % 5 === 0 ? { headers: { referer: "https://firm.example/" } } : { trail: own })),
      ),
    ).toEqual([]);
  });
});

describe("a setting that does not fit", () => {
  it.each<[string, string, number, (i: number) => Sent]>([
    ["a proxy that is not trusted", "setup.forwarded-for-ignored", 0, (i) => ({ trail: visitor(i) })],
    ["a second proxy inside", "setup.more-proxies", 1, (i) => ({ trail: `${visitor(i)}, 10.0.0.2` })],
    ["two proxies on one machine", "setup.more-proxies", 1, () => ({ trail: "127.0.0.1, 127.0.0.1" })],
    [
      "a second proxy outside, one of several",
      "setup.more-proxies",
      1,
      (i) => ({ trail: `${visitor(i)}, 192.0.2.${i % 4}` }),
    ],
    ["one proxy and not two", "setup.fewer-proxies", 2, (i) => ({ trail: visitor(i) })],
    ["one proxy and not two, from inside", "setup.fewer-proxies", 2, () => ({ trail: "127.0.0.1" })],
    [
      "a proxy that passes no address on",
      "setup.fewer-proxies",
      1,
      () => ({ headers: { host: "127.0.0.1:3000", referer: "https://firm.example/about" } }),
    ],
    [
      "Cloudflare, forgotten",
      "setup.cdn-not-counted",
      1,
      (i) => ({ trail: `${visitor(i)}, 172.68.0.${i % 7}`, headers: { "cf-connecting-ip": visitor(i) } }),
    ],
    [
      "Cloudflare before a proxy that replaces the header",
      "setup.cdn-not-counted",
      1,
      (i) => ({ trail: `172.68.0.${i % 7}`, headers: { "cf-connecting-ip": visitor(i) } }),
    ],
    [
      "CloudFront, forgotten",
      "setup.cdn-not-counted",
      1,
      (i) => ({ trail: `130.176.${i % 7}.1`, headers: { "x-amz-cf-id": "x" } }),
    ],
    [
      "Fastly with nobody trusted",
      "setup.cdn-not-counted",
      0,
      (i) => ({ headers: { "fastly-client-ip": visitor(i) } }),
    ],
  ])("%s: %s", (_name, event, proxies, make) => {
    expect(warned(proxies, times(9, make))).toEqual([]);
    expect(warned(proxies, times(60, make))).toEqual([event]);
  });

  it("is noticed behind a network of containers, and between checks on the machine itself", () => {
    const between = times(60, (i) => (i % 2 === 0 ? { trail: visitor(i), peer: "172.17.0.1" } : {}));
    expect(warned(0, between)).toEqual(["setup.forwarded-for-ignored"]);
  });
});
