import type { IncomingMessage } from "node:http";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSiteAddress } from "./site-address.server";

interface Asked {
  siteUrl?: string;
  proxies?: number;
  host?: string;
  headers?: Record<string, string>;
  url?: string;
  method?: string;
  version?: string;
}

/** Finds the redirect of a request; null when it is served as it came. */
function sentTo({ siteUrl = "https://firm.example", proxies = 0, ...asked }: Asked): string | null {
  const settings = { siteUrl, siteUrlIsExplicit: true, isHttps: siteUrl.startsWith("https:"), trustedProxies: proxies };
  return createSiteAddress(settings).findRedirect(toRequest(asked));
}

function toRequest({ host, headers, url = "/about?a=b", method = "GET", version = "1.1" }: Asked): IncomingMessage {
  const all = { ...(host === undefined ? {} : { host }), ...headers };
  return { method, url, headers: all, httpVersion: version } as unknown as IncomingMessage;
}

describe("the name that was asked for", () => {
  it.each([
    ["www.firm.example"],
    ["WWW.FIRM.EXAMPLE"],
    ["firm.example."],
    ["firm.example:8443"],
    ["firm.example.evil.example"],
    ["xn--mnchen-3ya.example"],
    ["a_b.firm.example"],
  ])("%s leads to the same path and query at SITE_URL", (host) => {
    expect(sentTo({ host })).toBe("https://firm.example/about?a=b");
    expect(sentTo({ host, method: "HEAD" })).toBe("https://firm.example/about?a=b");
    expect(sentTo({ host, method: "POST" })).toBeNull();
  });

  it.each([
    ["firm.example"],
    ["FIRM.example"],
    ["firm.example:443"],
    ["firm.example:80"],
    ["127.0.0.1"],
    ["127.0.0.1:3000"],
    ["127.0.0.1."],
    ["203.0.113.7:3000"],
    ["0x7f.0.0.1"],
    ["2130706433"],
    ["127.1"],
    ["[::1]:3000"],
    ["[2001:db8::1]"],
    ["localhost:3000"],
    ["localhost."],
    ["app.localhost:3000"],
    ["site:3000"],
    ["site_backend"],
    ["site.default.svc"],
    ["site.default.svc.cluster.local:3000"],
    ["app1.internal:3000"],
    ["a b"],
    ["a,b.example"],
    ["[::1"],
    ["www.firm.example:99999"],
    ["www.firm.example:port"],
    ["1.2.3.256"],
    [""],
    [undefined],
  ])("%s is served", (host) => {
    expect(sentTo({ host })).toBeNull();
  });

  it("is any while SITE_URL is not set", () => {
    const settings = { siteUrl: "http://localhost:3000", siteUrlIsExplicit: false, isHttps: false, trustedProxies: 1 };
    const { findRedirect, isElsewhere } = createSiteAddress(settings);
    const request = toRequest({ host: "www.firm.example", headers: { "x-forwarded-proto": "http" } });
    expect([findRedirect(request), isElsewhere(request)]).toEqual([null, false]);
  });

  it.each([
    ["https://firm.example:8443", "firm.example:8443", null],
    // `proxy_set_header Host $host` leaves the port out.
    ["https://firm.example:8443", "firm.example", null],
    ["https://firm.example:8443", "firm.example:9443", "https://firm.example:8443/about?a=b"],
    ["https://firm.example.", "firm.example", "https://firm.example./about?a=b"],
    ["http://firm.example", "www.firm.example", "http://firm.example/about?a=b"],
    ["http://localhost:3000", "www.firm.example", "http://localhost:3000/about?a=b"],
  ])("at %s, %s leads to %s", (siteUrl, host, location) => {
    expect(sentTo({ siteUrl, host })).toBe(location);
  });
});

describe("paths", () => {
  const host = "www.firm.example";

  it.each([
    "/healthz",
    "/readyz",
    "/readyz?full",
    "/.well-known/acme-challenge/token",
    "http://www.firm.example/",
    "*",
  ])("%s is served under every name", (url) => {
    expect(sentTo({ host, url })).toBeNull();
  });

  it.each([
    ["/", "https://firm.example/"],
    ["/healthz/", "https://firm.example/healthz/"],
    ["/no-such-page", "https://firm.example/no-such-page"],
    ["/favicon.ico", "https://firm.example/favicon.ico"],
    ["//evil.example/", "https://firm.example//evil.example/"],
    ["/@evil.example", "https://firm.example/@evil.example"],
    ["/?a=%0d%0aX", "https://firm.example/?a=%0d%0aX"],
    ["/?a=\f\u00e9", "https://firm.example/?a=%0C%E9"],
  ])("%s leads to %s", (url, location) => {
    expect(sentTo({ host, url })).toBe(location);
  });
});

describe("what stands in front", () => {
  const www = "www.firm.example";
  const there = "https://firm.example/about?a=b";

  it.each<[string, Asked, string | null]>([
    ["a trusted proxy names the host", { proxies: 1, host: "site:3000", headers: { "x-forwarded-host": www } }, there],
    [
      "a trusted proxy names the site",
      { proxies: 1, host: www, headers: { "x-forwarded-host": "firm.example" } },
      null,
    ],
    ["nobody is trusted", { host: "site:3000", headers: { "x-forwarded-host": www } }, null],
    [
      "nobody is trusted, and the name is the site's",
      { host: www, headers: { "x-forwarded-host": "firm.example" } },
      null,
    ],
    // A proxy with `X-Forwarded-Host $server_name` always says www.
    ["the two disagree", { proxies: 1, host: "firm.example", headers: { "x-forwarded-host": www } }, null],
    [
      "the last entry is the proxy's",
      { proxies: 1, host: "site", headers: { "x-forwarded-host": `a.example, ${www}` } },
      there,
    ],
    [
      "two proxies append",
      { proxies: 2, host: "site", headers: { "x-forwarded-host": `${www}, inner.example` } },
      there,
    ],
    [
      "one entry is the site's",
      { proxies: 1, host: "site", headers: { "x-forwarded-host": "firm.example, inner.example" } },
      null,
    ],
    ["the header is broken", { proxies: 1, host: www, headers: { "x-forwarded-host": "a b" } }, there],
    [
      "the header is broken, and the host the site's",
      { proxies: 1, host: "firm.example", headers: { "x-forwarded-host": "<" } },
      null,
    ],
    ["the header is empty", { proxies: 1, host: www, headers: { "x-forwarded-host": "" } }, there],
    ["the header names a machine", { proxies: 1, host: www, headers: { "x-forwarded-host": "127.0.0.1" } }, null],
    [
      "Azure's gateway keeps the name",
      { host: "app.azure.example", headers: { "x-original-host": "firm.example" } },
      null,
    ],
    [
      "RFC 7239 keeps the name",
      { host: "app.example", headers: { forwarded: 'for=1.2.3.4;host="firm.example"' } },
      null,
    ],
    ["CloudFront names its origin", { host: "origin.firm.example", headers: { "x-amz-cf-id": "x" } }, null],
    ["Cloudflare names what was asked for", { host: www, headers: { "cf-ray": "x" } }, there],
    ["nginx names its upstream", { host: "app.firm.example", version: "1.0" }, null],
    ["nginx passes the host on", { host: www, version: "1.0", headers: { "x-forwarded-for": "1.2.3.4" } }, there],
  ])("%s", (_name, asked, location) => {
    expect(sentTo(asked)).toBe(location);
  });

  it("never redirects a request for the site's own name, with any other headers", () => {
    const header = fc.constantFrom(
      "x-forwarded-host",
      "x-forwarded-for",
      "x-original-host",
      "forwarded",
      "cf-ray",
      "via",
    );
    const value = fc.constantFrom(www, "firm.example", "evil.example", "10.0.0.1", "a, b", "", "https", "http");
    fc.assert(
      fc.property(fc.dictionary(header, value), fc.integer({ min: 0, max: 3 }), (headers, proxies) => {
        expect(sentTo({ proxies, host: "firm.example", headers })).toBeNull();
      }),
      { numRuns: 1_000, seed: 20_261_126 },
    );
  });
});

describe("plain http", () => {
  const https = "https://firm.example/about?a=b";
  const http = { "x-forwarded-proto": "http" };

  it.each<[string, Asked, string | null]>([
    ["a trusted proxy says so", { proxies: 1, headers: http }, https],
    [
      "a trusted proxy says so, and names the visitor",
      { proxies: 1, headers: { ...http, "x-forwarded-for": "1.2.3.4" } },
      https,
    ],
    ["in capitals", { proxies: 1, headers: { "x-forwarded-proto": "HTTP" } }, https],
    ["the site is not on https", { siteUrl: "http://firm.example", proxies: 1, headers: http }, null],
    ["nobody is trusted", { headers: http }, null],
    ["nobody says anything", { proxies: 1 }, null],
    ["it is https", { proxies: 1, headers: { "x-forwarded-proto": "https" } }, null],
    ["it was https before", { proxies: 1, headers: { "x-forwarded-proto": "https, http" } }, null],
    ["it is nonsense", { proxies: 1, headers: { "x-forwarded-proto": "httpx" } }, null],
    // Behind one that ends TLS, nginx overwrites the header with its own `$scheme`.
    ["there is a proxy before it", { proxies: 2, headers: { ...http, "x-forwarded-for": "1.2.3.4, 10.0.0.2" } }, null],
    ["a browser is on https", { proxies: 1, headers: { ...http, "sec-fetch-site": "none" } }, null],
    ["Cloudflare ends TLS", { proxies: 1, headers: { ...http, "cf-visitor": '{"scheme":"https"}' } }, null],
    ["another header says https", { proxies: 1, headers: { ...http, "x-forwarded-ssl": "on" } }, null],
    ["the port is https's", { proxies: 1, headers: { ...http, "x-forwarded-port": "443" } }, null],
  ])("%s", (_name, asked, location) => {
    expect(sentTo({ host: "firm.example", ...asked })).toBe(location);
    expect(sentTo({ host: "firm.example", ...asked, url: "/healthz" })).toBeNull();
  });
});
