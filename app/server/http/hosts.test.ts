import type { IncomingMessage } from "node:http";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSiteAddress } from "./hosts.server";

interface TestRequest {
  siteUrl?: string;
  proxies?: number;
  host?: string;
  headers?: Record<string, string>;
  url?: string;
  method?: string;
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
    ["xn--mnchen-3ya.example"],
    ["a_b.firm.example"],
  ])("redirects %s to the same path and query at SITE_URL", (host) => {
    expect(findRedirect({ host })).toBe("https://firm.example/about?a=b");
    expect(findRedirect({ host, method: "HEAD" })).toBe("https://firm.example/about?a=b");
    expect(findRedirect({ host, method: "POST" })).toBeNull();
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
    ["http://localhost:3000", "www.firm.example", "http://localhost:3000/about?a=b"],
  ])("with SITE_URL %s, redirects %s to %s", (siteUrl, host, location) => {
    expect(findRedirect({ siteUrl, host })).toBe(location);
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
  ])("serves %s under every name", (url) => {
    expect(findRedirect({ host, url })).toBeNull();
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
  ])("redirects %s to %s", (url, location) => {
    expect(findRedirect({ host, url })).toBe(location);
  });
});

describe("proxies and CDNs", () => {
  const www = "www.firm.example";
  const redirected = "https://firm.example/about?a=b";

  it.each<[string, TestRequest, string | null]>([
    [
      "a trusted proxy names the host",
      { proxies: 1, host: "site:3000", headers: { "x-forwarded-host": www } },
      redirected,
    ],
    [
      "a trusted proxy names the site",
      { proxies: 1, host: www, headers: { "x-forwarded-host": "firm.example" } },
      null,
    ],
    ["no proxy is trusted", { host: "site:3000", headers: { "x-forwarded-host": www } }, null],
    [
      "no proxy is trusted, and the header names the site",
      { host: www, headers: { "x-forwarded-host": "firm.example" } },
      null,
    ],
    // A proxy with `X-Forwarded-Host $server_name` always sends www.
    [
      "Host and X-Forwarded-Host disagree",
      { proxies: 1, host: "firm.example", headers: { "x-forwarded-host": www } },
      null,
    ],
    [
      "the last entry is the proxy's",
      { proxies: 1, host: "site", headers: { "x-forwarded-host": `a.example, ${www}` } },
      redirected,
    ],
    [
      "two proxies append",
      { proxies: 2, host: "site", headers: { "x-forwarded-host": `${www}, inner.example` } },
      redirected,
    ],
    [
      "one entry is the site's",
      { proxies: 1, host: "site", headers: { "x-forwarded-host": "firm.example, inner.example" } },
      null,
    ],
    ["the header is broken", { proxies: 1, host: www, headers: { "x-forwarded-host": "a b" } }, redirected],
    [
      "the header is broken, and Host names the site",
      { proxies: 1, host: "firm.example", headers: { "x-forwarded-host": "<" } },
      null,
    ],
    ["the header is empty", { proxies: 1, host: www, headers: { "x-forwarded-host": "" } }, redirected],
    ["both name machines", { proxies: 1, host: "site:3000", headers: { "x-forwarded-host": "127.0.0.1" } }, null],
    ["CloudFront names its origin", { host: "origin.firm.example", headers: { "x-amz-cf-id": "x" } }, null],
    ["Cloudflare sends the visitor's host", { host: www, headers: { "cf-ray": "x" } }, redirected],
  ])("%s", (_name, request, location) => {
    expect(findRedirect(request)).toBe(location);
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

describe("plain http", () => {
  const https = "https://firm.example/about?a=b";
  const http = { "x-forwarded-proto": "http" };

  it.each<[string, TestRequest, string | null]>([
    ["a trusted proxy reports http", { proxies: 1, headers: http }, https],
    [
      "a trusted proxy reports http and the visitor's address",
      { proxies: 1, headers: { ...http, "x-forwarded-for": "1.2.3.4" } },
      https,
    ],
    ["the scheme is in capitals", { proxies: 1, headers: { "x-forwarded-proto": "HTTP" } }, https],
    ["the site is not on https", { siteUrl: "http://firm.example", proxies: 1, headers: http }, null],
    ["no proxy is trusted", { headers: http }, null],
    ["no header names the scheme", { proxies: 1 }, null],
    ["the scheme is https", { proxies: 1, headers: { "x-forwarded-proto": "https" } }, null],
    [
      "the scheme is a list that starts with https",
      { proxies: 1, headers: { "x-forwarded-proto": "https, http" } },
      null,
    ],
    ["the scheme is unknown", { proxies: 1, headers: { "x-forwarded-proto": "httpx" } }, null],
    // Behind a proxy that ends TLS, nginx overwrites the header with its own `$scheme`.
    [
      "another proxy stands in front",
      { proxies: 2, headers: { ...http, "x-forwarded-for": "1.2.3.4, 10.0.0.2" } },
      null,
    ],
    ["Sec-Fetch-Site shows https", { proxies: 1, headers: { ...http, "sec-fetch-site": "none" } }, null],
    ["a CDN ends TLS", { proxies: 1, headers: { ...http, "cf-ray": "x" } }, null],
  ])("%s", (_name, request, location) => {
    expect(findRedirect({ host: "firm.example", ...request })).toBe(location);
    expect(findRedirect({ host: "firm.example", ...request, url: "/healthz" })).toBeNull();
  });
});
