import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exchange } from "../../fuzz/support/exchange";
import { startSite, type TestSite } from "../../support/site";

const siteUrl = "https://firm.example";
let site: TestSite;

beforeAll(async () => {
  site = await startSite({ SITE_URL: siteUrl, TRUSTED_PROXIES: "1" }, { isWarm: true });
});
afterAll(async () => {
  await site.stop();
});

async function request(path: string, host: string, { method = "GET", more = "" } = {}) {
  const head = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`;
  const { status, text } = await exchange(site.url, head);
  return { status, text, location: /^location: (.*)\r$/im.exec(text)?.[1] ?? null };
}

const forwarded = (host: string) => ({ more: `X-Forwarded-Host: ${host}\r\n` });

describe("a request under another host name", () => {
  it.each([
    ["a page from memory", "/about"],
    ["a page with a query", "/contact?about=investors&x=%20"],
    ["a rendered page", "/data-rights/status?token=x"],
    ["a file", "/favicon.svg"],
    ["a built file", "/assets/no-such-file.js"],
    ["a generated file", "/sitemap.xml"],
    ["a redirect", "/About/"],
    ["an unauthenticated request for the admin area", "/admin"],
    ["a missing page", "/no-such-page"],
    ["a script's request", "/contact.data"],
  ])("is redirected to the same path at SITE_URL: %s", async (_name, path) => {
    for (const method of ["GET", "HEAD"]) {
      const { status, location, text } = await request(path, "www.firm.example", { method });
      expect([status, location]).toEqual([308, siteUrl + path]);
      expect(text).toMatch(/^cache-control: no-store\r$/im);
      expect(text).toMatch(/^content-security-policy: default-src 'none'/im);
      expect(text).not.toMatch(/^set-cookie:/im);
    }
  });

  it("uses the host that a trusted proxy forwards, and serves machine names directly", async () => {
    expect((await request("/about", "site:3000", forwarded("www.firm.example"))).location).toBe(`${siteUrl}/about`);
    expect((await request("/about", "www.firm.example", forwarded("firm.example"))).status).toBe(200);
    for (const host of ["firm.example", "127.0.0.1:3000", "[::1]:3000", "localhost", "site", ""])
      expect((await request("/about", host)).status, host).toBe(200);
    for (const path of ["/healthz", "/readyz"]) expect((await request(path, "www.firm.example")).status).toBe(200);
    expect((await request("/.well-known/acme-challenge/x", "www.firm.example")).status).toBe(404);
  });

  it("redirects http to https when the proxy reports it", async () => {
    const { status, location } = await request("/about", "firm.example", { more: "X-Forwarded-Proto: http\r\n" });
    expect([status, location]).toEqual([308, `${siteUrl}/about`]);
    expect((await request("/about", "firm.example", { more: "X-Forwarded-Proto: https\r\n" })).status).toBe(200);
    expect((await request("/about", "firm.example")).status).toBe(200);
  });

  it("still rejects invalid methods and hosts", async () => {
    expect((await request("/", "www.firm.example", { method: "PUT" })).status).toBe(405);
    for (const host of ["a b", "firm.example/<script>", "user@firm.example"])
      expect((await request("/", host)).status, host).toBe(400);
  });
});

it("limits HSTS to this host unless the operator includes subdomains", async () => {
  for (const path of ["/", "/favicon.svg", "/no-such-page", "/login/forgotten"])
    expect((await request(path, "firm.example")).text, path).toMatch(
      /^strict-transport-security: max-age=63072000\r$/im,
    );
  const withSubdomains = await startSite({ SITE_URL: siteUrl, HSTS: "subdomains" });
  for (const path of ["/", "/favicon.svg", "/login/forgotten"]) {
    const { headers } = await fetch(withSubdomains.url + path);
    expect(headers.get("strict-transport-security"), path).toBe("max-age=63072000; includeSubDomains");
  }
  await withSubdomains.stop();
});
