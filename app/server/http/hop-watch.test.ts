import type { IncomingMessage } from "node:http";
import { expect, it } from "vitest";
import type { Exchange } from "./exchange.server";
import { watchHops } from "./hosts.server";

interface TestRequest {
  /** value of X-Forwarded-For; absent by default */
  trail?: string;
  peer?: string;
  headers?: Record<string, string>;
  url?: string;
}

/** Sends consecutive requests and returns the events of the warnings. */
function collectWarnings(trustedProxies: number, requests: TestRequest[], siteUrl = "https://firm.example"): string[] {
  const events: string[] = [];
  const settings = { siteUrl, siteUrlIsExplicit: true, trustedProxies };
  const watch = watchHops(settings, ({ event }) => events.push(event));
  for (const { trail, peer = "127.0.0.1", headers, url = "/" } of requests) {
    const all = { host: "firm.example", ...(trail === undefined ? {} : { "x-forwarded-for": trail }), ...headers };
    const request = { headers: all, url, socket: { remoteAddress: peer } } as unknown as IncomingMessage;
    watch({ request } as Exchange, () => undefined);
  }
  return events;
}

const times = (count: number, make: (i: number) => TestRequest): TestRequest[] =>
  Array.from({ length: count }, (_, i) => make(i));
const visitor = (i: number) => `203.0.113.${i % 200}`;

const own = "198.51.100.7";
const cloudflare = (i: number) => ({ "cf-connecting-ip": visitor(i) });
const cloudFront = { "x-amz-cf-id": "x" };

it.each<[string, number, (i: number) => TestRequest]>([
  ["no proxy", 0, () => ({})],
  ["one proxy that appends or replaces", 1, (i) => ({ trail: visitor(i) })],
  ["two proxies that append", 2, (i) => ({ trail: `${visitor(i)}, 10.0.0.2` })],
  ["Cloudflare and a proxy", 2, (i) => ({ trail: `${visitor(i)}, 172.68.0.${i}`, headers: cloudflare(i) })],
  ["Cloudflare's tunnel", 1, (i) => ({ trail: visitor(i), headers: { "cf-ray": "x", ...cloudflare(i) } })],
  ["CloudFront and a proxy", 2, (i) => ({ trail: `${visitor(i)}, 130.176.0.${i}`, headers: cloudFront })],
  ["checks on the machine itself", 1, () => ({ headers: { host: "127.0.0.1:3000" } })],
  ["checks on the machine itself, by the site's name", 1, () => ({})],
  ["probes through one proxy fewer", 2, () => ({ trail: "10.0.0.7", url: "/readyz" })],
  ["bots that bypass the CDN", 2, (i) => ({ trail: visitor(i), headers: { host: "198.51.100.1" } })],
  ["a peer that is not our proxy", 1, (i) => ({ trail: `${visitor(i)}, 10.0.0.2`, peer: "198.51.100.9" })],
  ["a client that adds an entry to each request", 1, (i) => ({ trail: `10.0.0.${i}, ${own}` })],
  ["a client that claims to come through Cloudflare", 1, (i) => ({ trail: own, headers: cloudflare(i) })],
  ["a client that claims to come through CloudFront", 1, () => ({ trail: own, headers: cloudFront })],
  ["a client that bypasses the CDN", 2, () => ({ trail: own })],
  ["a client with an IPv6 network", 1, (i) => ({ trail: `10.0.0.1, 2001:db8:7:${i.toString(16)}::1` })],
  ["forged entries among other visitors", 1, (i) => ({ trail: i % 5 === 0 ? visitor(i) : "1.2.3.4, 10.0.0.9" })],
  [
    "forged entries among visitors without one",
    0,
    (i) => (i % 5 === 0 ? { headers: { referer: "https://firm.example/" } } : { trail: own }),
  ],
])("does not warn of %s", (_name, proxies, make) => {
  expect(collectWarnings(proxies, times(200, make))).toEqual([]);
});

it.each<[string, string, number, (i: number) => TestRequest]>([
  ["a proxy that is not trusted", "forwarded-for-ignored", 0, (i) => ({ trail: visitor(i) })],
  ["a second proxy in a private network", "more-proxies", 1, (i) => ({ trail: `${visitor(i)}, 10.0.0.2` })],
  ["two proxies on one machine", "more-proxies", 1, () => ({ trail: "127.0.0.1, 127.0.0.1" })],
  ["a second proxy in front", "more-proxies", 1, (i) => ({ trail: `${visitor(i)}, 192.0.2.${i % 4}` })],
  ["one proxy instead of two", "fewer-proxies", 2, (i) => ({ trail: visitor(i) })],
  ["one proxy instead of two, with private clients", "fewer-proxies", 2, () => ({ trail: "127.0.0.1" })],
  [
    "a proxy that drops the address",
    "fewer-proxies",
    1,
    () => ({ headers: { host: "127.0.0.1:3000", referer: "https://firm.example/about" } }),
  ],
  [
    "Cloudflare not counted",
    "cdn-not-counted",
    1,
    (i) => ({ trail: `${visitor(i)}, 172.68.0.${i % 7}`, headers: cloudflare(i) }),
  ],
  [
    "Cloudflare before a proxy that replaces the header",
    "cdn-not-counted",
    1,
    (i) => ({ trail: `172.68.0.${i % 7}`, headers: cloudflare(i) }),
  ],
  ["CloudFront not counted", "cdn-not-counted", 1, (i) => ({ trail: `130.176.${i % 7}.1`, headers: cloudFront })],
  ["Fastly with no trusted proxy", "cdn-not-counted", 0, (i) => ({ headers: { "fastly-client-ip": visitor(i) } })],
  [
    "a container's network, between local health checks",
    "forwarded-for-ignored",
    0,
    (i) => (i % 2 === 0 ? { trail: visitor(i), peer: "172.17.0.1" } : {}),
  ],
])("warns once after ten requests of %s: %s", (_name, event, proxies, make) => {
  expect(collectWarnings(proxies, times(9, make))).toEqual([]);
  expect(collectWarnings(proxies, times(60, make))).toEqual([`setup.${event}`]);
});
