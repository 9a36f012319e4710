import type { IncomingMessage } from "node:http";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Exchange } from "./exchange.server";
import { createSiteAddress, watchHops } from "./hosts.server";

interface TestRequest {
  siteUrl?: string;
  proxies?: number;
  host?: string;
  headers?: Record<string, string>;
  url?: string;
  method?: string;
  /** value of X-Forwarded-For; absent by default */
  trail?: string;
  peer?: string;
}

/** Finds the redirect of a request; null when it is served without one. */
function findRedirect({ siteUrl = "https://firm.example", proxies = 0, ...request }: TestRequest): string | null {
  const settings = { siteUrl, siteUrlIsExplicit: true, isHttps: siteUrl.startsWith("https:"), trustedProxies: proxies };
  return createSiteAddress(settings).findRedirect(toRequest(request));
}

function toRequest({ host, headers, url = "/about?a=b", method = "GET" }: TestRequest): IncomingMessage {
  const all = { ...(host === undefined ? {} : { host }), ...headers };
  return { method, url, headers: all } as unknown as IncomingMessage;
}

describe("host names", () => {
  it.each([
    ["www.firm.example"],
    ["WWW.FIRM.EXAMPLE"],
    ["firm.example."],
    ["firm.example:8443"],
    ["firm.example.evil.example"],
    ["a_b.firm.example"],
  ])("redirects %s to the same path and query at SITE_URL", (host) => {
    expect(findRedirect({ host })).toBe("https://firm.example/about?a=b");
    expect(findRedirect({ host, method: "HEAD" })).toBe("https://firm.example/about?a=b");
    expect(findRedirect({ host, method: "POST" })).toBeNull();
  });

  it.each([
    ["firm.example"],
    ["firm.example:443"],
    ["0x7f.0.0.1"],
    ["[::1]:3000"],
    ["localhost."],
    ["site:3000"],
    ["site.default.svc.cluster.local:3000"],
    ["app1.internal:3000"],
    ["a,b.example"],
    ["www.firm.example:99999"],
    [undefined],
  ])("serves %s without a redirect", (host) => {
    expect(findRedirect({ host })).toBeNull();
  });

  it("are all served while SITE_URL is not set", () => {
    const settings = { siteUrl: "http://localhost:3000", siteUrlIsExplicit: false, isHttps: false, trustedProxies: 1 };
    const siteAddress = createSiteAddress(settings);
    const request = toRequest({ host: "www.firm.example", headers: { "x-forwarded-proto": "http" } });
    expect([siteAddress.findRedirect(request), siteAddress.isElsewhere(request)]).toEqual([null, false]);
  });

  it.each([
    ["https://firm.example:8443", "firm.example:8443", null],
    // `proxy_set_header Host $host` drops the port.
    ["https://firm.example:8443", "firm.example", null],
    ["https://firm.example:8443", "firm.example:9443", "https://firm.example:8443/about?a=b"],
    ["https://firm.example.", "firm.example", "https://firm.example./about?a=b"],
    ["http://firm.example", "www.firm.example", "http://firm.example/about?a=b"],
  ])("with SITE_URL %s, redirects %s to %s", (siteUrl, host, location) => {
    expect(findRedirect({ siteUrl, host })).toBe(location);
  });
});

describe("paths", () => {
  const host = "www.firm.example";

  it.each(["/healthz", "/readyz", "/.well-known/acme-challenge/token", "http://www.firm.example/", "*"])(
    "serves %s under every name",
    (url) => {
      expect(findRedirect({ host, url })).toBeNull();
    },
  );

  it.each([
    ["/healthz/", "https://firm.example/healthz/"],
    ["/no-such-page", "https://firm.example/no-such-page"],
    ["//evil.example/", "https://firm.example//evil.example/"],
    ["/@evil.example", "https://firm.example/@evil.example"],
    ["/?a=%0d%0aX", "https://firm.example/?a=%0d%0aX"],
    ["/?a=\f\u00e9", "https://firm.example/?a=%0C%E9"],
  ])("redirects %s to %s", (url, location) => {
    expect(findRedirect({ host, url })).toBe(location);
  });
});

describe("proxies and CDNs", () => {
  const www = "www.firm.example";
  const redirected = "https://firm.example/about?a=b";

  // A proxy with `X-Forwarded-Host $server_name` always sends www.
  it.each([
    ["a trusted proxy names the host", 1, "site:3000", www, redirected],
    ["a trusted proxy names the site", 1, www, "firm.example", null],
    ["no proxy is trusted", 0, "site:3000", www, null],
    ["no proxy is trusted, and the header names the site", 0, www, "firm.example", null],
    ["Host and X-Forwarded-Host disagree", 1, "firm.example", www, null],
    ["the last entry is the proxy's", 1, "site", `a.example, ${www}`, redirected],
    ["one entry is the site's", 1, "site", "firm.example, inner.example", null],
    ["the header is broken", 1, www, "a b", redirected],
    ["both name machines", 1, "site:3000", "127.0.0.1", null],
  ])("redirects by X-Forwarded-Host when %s", (_name, proxies, host, forwarded, location) => {
    expect(findRedirect({ proxies, host, headers: { "x-forwarded-host": forwarded } })).toBe(location);
  });

  it("trusts the host that Cloudflare sends, and no other CDN's", () => {
    expect(findRedirect({ host: "origin.firm.example", headers: { "x-amz-cf-id": "x" } })).toBeNull();
    expect(findRedirect({ host: www, headers: { "cf-ray": "x" } })).toBe(redirected);
  });

  it("cannot cause a redirect when Host is the site's own name", () => {
    const header = fc.constantFrom("x-forwarded-host", "x-forwarded-for", "forwarded", "cf-ray", "via");
    const value = fc.constantFrom(www, "firm.example", "evil.example", "10.0.0.1", "a, b", "", "https", "http");
    fc.assert(
      fc.property(fc.dictionary(header, value), fc.integer({ min: 0, max: 3 }), (headers, proxies) => {
        expect(findRedirect({ proxies, host: "firm.example", headers })).toBeNull();
      }),
      { numRuns: 1_000, seed: 20_261_126 },
    );
  });
});

const proto = (value: string) => ({ "x-forwarded-proto": value });

const https = "https://firm.example/about?a=b";
const http = proto("http");

it.each<[string, number, Record<string, string>, string | null]>([
  ["a trusted proxy reports http", 1, http, https],
  ["a trusted proxy reports http and the visitor's address", 1, { ...http, "x-forwarded-for": "1.2.3.4" }, https],
  ["the scheme is in capitals", 1, proto("HTTP"), https],
  ["no proxy is trusted", 0, http, null],
  ["no header names the scheme", 1, {}, null],
  ["the scheme is https", 1, proto("https"), null],
  ["the scheme is a list that starts with https", 1, proto("https, http"), null],
  // Behind a proxy that ends TLS, nginx overwrites the header with its own `$scheme`.
  ["another proxy stands in front", 2, { ...http, "x-forwarded-for": "1.2.3.4, 10.0.0.2" }, null],
  ["Sec-Fetch-Site shows https", 1, { ...http, "sec-fetch-site": "none" }, null],
  ["a CDN ends TLS", 1, { ...http, "cf-ray": "x" }, null],
])("redirects plain http to https when %s", (_name, proxies, headers, location) => {
  expect(findRedirect({ host: "firm.example", proxies, headers })).toBe(location);
  expect(findRedirect({ host: "firm.example", proxies, headers, url: "/healthz" })).toBeNull();
  expect(findRedirect({ siteUrl: "http://firm.example", host: "firm.example", proxies, headers })).toBeNull();
});

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
const fromContainer = (i: number) => (i % 2 === 0 ? { trail: visitor(i), peer: "172.17.0.1" } : {});

const own = "198.51.100.7";
const cloudflare = (i: number) => ({ "cf-connecting-ip": visitor(i) });
const cloudFront = { "x-amz-cf-id": "x" };
const onPage = { referer: "https://firm.example/about" };
const edge = (i: number) => `172.68.0.${i % 7}`;

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
  ["forged entries among visitors without one", 0, (i) => (i % 5 === 0 ? { headers: onPage } : { trail: own })],
])("does not warn of %s", (_name, proxies, make) => {
  expect(collectWarnings(proxies, times(200, make))).toEqual([]);
});

it.each<[string, string, number, (i: number) => TestRequest]>([
  ["a proxy that is not trusted", "forwarded-for-ignored", 0, (i) => ({ trail: visitor(i) })],
  ["a container's network, between local health checks", "forwarded-for-ignored", 0, fromContainer],
  ["a second proxy in a private network", "more-proxies", 1, (i) => ({ trail: `${visitor(i)}, 10.0.0.2` })],
  ["two proxies on one machine", "more-proxies", 1, () => ({ trail: "127.0.0.1, 127.0.0.1" })],
  ["a second proxy in front", "more-proxies", 1, (i) => ({ trail: `${visitor(i)}, 192.0.2.${i % 4}` })],
  ["one proxy instead of two", "fewer-proxies", 2, (i) => ({ trail: visitor(i) })],
  ["one proxy instead of two, with private clients", "fewer-proxies", 2, () => ({ trail: "127.0.0.1" })],
  ["a proxy that drops the address", "fewer-proxies", 1, () => ({ headers: { host: "127.0.0.1:3000", ...onPage } })],
  ["Cloudflare", "cdn-not-counted", 1, (i) => ({ trail: `${visitor(i)}, ${edge(i)}`, headers: cloudflare(i) })],
  ["Cloudflare, as a proxy replaces", "cdn-not-counted", 1, (i) => ({ trail: edge(i), headers: cloudflare(i) })],
  ["CloudFront not counted", "cdn-not-counted", 1, (i) => ({ trail: `130.176.${i % 7}.1`, headers: cloudFront })],
  ["Fastly with no trusted proxy", "cdn-not-counted", 0, (i) => ({ headers: { "fastly-client-ip": visitor(i) } })],
])("warns once after ten requests of %s: %s", (_name, event, proxies, make) => {
  expect(collectWarnings(proxies, times(9, make))).toEqual([]);
  expect(collectWarnings(proxies, times(60, make))).toEqual([`setup.${event}`]);
});
