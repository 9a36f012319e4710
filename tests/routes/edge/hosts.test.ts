import { describe, expect, it } from "vitest";
import { exchange } from "../../fuzz/support/exchange";
import { testAdmin } from "../../support/site";
import { readText } from "../../support/visitor";
import { useSite } from "../support/world";

const siteUrl = "https://firm.example";
const policy = /^content-security-policy: default-src 'none'/im;

/** Sends a request with these lines in its head. */
const send = (site: { url: string }, request: string, lines: string, version = "1.1") =>
  exchange(site.url, `${request} HTTP/${version}\r\n${lines}Connection: close\r\n\r\n`);

describe.each([
  ["without SITE_URL", {}, 400],
  ["with SITE_URL", { SITE_URL: siteUrl }, 200],
])("a site %s", (_name, settings: Record<string, string>, statusWithoutHost) => {
  const site = useSite(settings);

  it.each([
    ["a host in any spelling", "1.1", "hOST: localhost\r\n", 200],
    ["two hosts", "1.1", "Host: localhost\r\nX: y\r\nHOST: evil.example\r\n", 400],
    ["the same host twice", "1.1", "Host: localhost\r\nHost: localhost\r\n", 400],
    ["no host on HTTP/1.1", "1.1", "", 400],
    ["no host on HTTP/1.0", "1.0", "", statusWithoutHost],
    ["a host with a space", "1.1", "Host: a b\r\n", 400],
    ["a host with markup", "1.1", "Host: firm.example/<script>\r\n", 400],
    ["a host with a user", "1.1", "Host: user@firm.example\r\n", 400],
  ])("responds to %s on every kind of page", async (_case, version, lines, expected) => {
    for (const path of ["/", "/contact", "/favicon.svg"]) {
      const { status, text } = await send(site, `GET ${path}`, lines, version);
      expect([path, status]).toEqual([path, expected]);
      expect(text).toMatch(policy);
    }
  });

  it.each([
    "/\\evil.example/",
    "/%5cevil.example/",
    "/CONTACT\\",
    "/\t/evil.example/",
    "/%09/evil.example/",
    "/contact%0d%0a",
    "/contact%7f",
    "/contact%c2%85",
  ])("rejects %j, which browsers would rewrite, without any redirect", async (path) => {
    const { status, text } = await send(site, `GET ${path}`, "Host: localhost\r\n");
    expect(status).toBe(400);
    expect(text).not.toMatch(/^location:/im);
  });
});

describe("behind a proxy", () => {
  const site = useSite({ SITE_URL: siteUrl, TRUSTED_PROXIES: "1" }, { isWarm: true });

  const request = (method: string, path: string, host: string, more = "") =>
    send(site, `${method} ${path}`, `Host: ${host}\r\n${more}`);

  it.each([
    ["a page from memory", "/about"],
    ["a rendered page", "/data-rights/status?token=x"],
    ["a file", "/favicon.svg"],
    ["a built file", "/assets/no-such-file.js"],
    ["a generated file", "/sitemap.xml"],
    ["a path that would redirect", "/About/"],
    ["a page for admins", "/admin"],
    ["a script's request", "/contact.data"],
  ])("a request under another host name is redirected to SITE_URL: %s", async (_name, path) => {
    for (const method of ["GET", "HEAD"]) {
      const { status, text } = await request(method, path, "www.firm.example");
      expect(status).toBe(308);
      expect(/^location: (.*)\r$/im.exec(text)?.[1]).toBe(siteUrl + path);
      expect(text).toMatch(/^cache-control: no-store\r$/im);
      expect(text).toMatch(policy);
      expect(text).not.toMatch(/^set-cookie:/im);
    }
  });

  it.each([
    ["GET", "/about", "firm.example", "", 200],
    ["GET", "/healthz", "www.firm.example", "", 200],
    ["TRACE", "/", "www.firm.example", "", 405],
    ["TRACE", "/healthz", "firm.example", "", 405],
    ["DELETE", "/readyz", "firm.example", "", 405],
    ["POST", "/healthz", "firm.example", "", 405],
  ])("responds to %s %s under %s, %j with %d", async (method, path, host, more, expected) => {
    expect((await request(method, path, host, more)).status).toBe(expected);
  });

  it("sends HSTS with pages, files and errors", async () => {
    for (const path of ["/", "/favicon.svg", "/no-such-page", "/login/forgotten"])
      expect((await request("GET", path, "firm.example")).text, path).toMatch(
        /^strict-transport-security: max-age=63072000\r$/im,
      );
  });

  it("warns once of another proxy than TRUSTED_PROXIES counts, in the log and on the admin's page", async () => {
    const more = "X-Forwarded-For: 127.0.0.1, 10.0.0.2\r\n";
    for (let visit = 0; visit < 20; visit++) await request("GET", "/about", "firm.example", more);
    expect(site.output().match(/"event":"setup\.[\w-]+"/g)).toEqual(['"event":"setup.more-proxies"']);
    expect(site.output()).toMatch(/"level":"warn"[^\n]*"remedy":"see docs\/operations\/proxy\.md"/);
    expect(site.output()).not.toContain("10.0.0.2");
    const admin = site.visitor();
    await admin.post("/login", testAdmin, { Origin: siteUrl });
    const text = readText((await admin.get("/admin")).html);
    expect(text).toContain("X-Forwarded-For lists more proxies than TRUSTED_PROXIES counts");
    expect(text).toContain("See docs/operations/proxy.md");
  });
});
