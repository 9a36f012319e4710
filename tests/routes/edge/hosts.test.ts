import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exchange } from "../../fuzz/support/exchange";
import { startSite, type TestSite } from "../../support/site";

describe.each([
  ["without SITE_URL", {}],
  ["with SITE_URL", { SITE_URL: "https://firm.example" }],
])("a product %s", (_name, settings: Record<string, string>) => {
  let product: TestSite;
  beforeAll(async () => {
    product = await startSite(settings);
  });
  afterAll(async () => {
    await product.stop();
  });
  const get = (lines: string, path = "/", version = "1.1") =>
    exchange(product.url, `GET ${path} HTTP/${version}\r\n${lines}Connection: close\r\n\r\n`);

  it("responds to a request with one host on each kind of page", async () => {
    for (const path of ["/", "/contact", "/favicon.svg"]) {
      expect((await get("hOST: localhost\r\n", path)).status, path).toBe(200);
    }
  });

  it("rejects two Host headers in any order, spelling and path", async () => {
    for (const path of ["/", "/contact", "/favicon.svg", "/no-such-page"]) {
      for (const [first, second] of [
        ["localhost", "evil.example"],
        ["evil.example", "localhost"],
        ["localhost", "localhost"],
      ]) {
        const { status, text } = await get(`Host: ${first}\r\nX: y\r\nHOST: ${second}\r\n`, path);
        expect(status, `${path} ${first} ${second}`).toBe(400);
        expect(text.toLowerCase()).toContain("content-security-policy: default-src 'none'");
      }
    }
  });

  it("rejects HTTP/1.1 without a host", async () => {
    expect((await get("")).status).toBe(400);
  });

  it("accepts HTTP/1.0 without a host if SITE_URL is set", async () => {
    expect((await get("", "/", "1.0")).status).toBe("SITE_URL" in settings ? 200 : 400);
  });

  it("rejects paths that browsers would rewrite, without any redirect", async () => {
    for (const path of [
      "/\\evil.example/",
      "/\\evil.example",
      "/%5cevil.example/",
      "/CONTACT\\",
      "/\t/evil.example/",
      "/%09/evil.example/",
      "/contact%0d%0a",
      "/contact%7f",
      "/contact%c2%85",
    ]) {
      const { status, text } = await get("Host: localhost\r\n", path);
      expect(status, path).toBe(400);
      expect(text).not.toMatch(/^location:/im);
    }
    expect((await get("Host: localhost\r\n", "/contact?back=%5C%0A\\")).status).toBe(200);
  });
});
