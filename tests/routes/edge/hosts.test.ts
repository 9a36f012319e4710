import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exchange } from "../../fuzz/support/exchange";
import { startSite, type TestSite } from "../../support/site";

describe.each([
  ["without a site address", {}],
  ["with one", { SITE_URL: "https://firm.example" }],
])("a product %s", (_name, settings: Record<string, string>) => {
  let product: TestSite;
  beforeAll(async () => {
    product = await startSite(settings);
  });
  afterAll(async () => {
    await product.stop();
  });
  const ask = (lines: string, path = "/", version = "1.1") =>
    exchange(product.url, `GET ${path} HTTP/${version}\r\n${lines}Connection: close\r\n\r\n`);

  it("answers a request that names one host, page by page", async () => {
    for (const path of ["/", "/contact", "/favicon.svg"]) {
      expect((await ask("hOST: localhost\r\n", path)).status, path).toBe(200);
    }
  });

  it("refuses two hosts, whichever comes first, however they are written and whatever is asked for", async () => {
    for (const path of ["/", "/contact", "/favicon.svg", "/no-such-page"]) {
      for (const [first, second] of [
        ["localhost", "evil.example"],
        ["evil.example", "localhost"],
        ["localhost", "localhost"],
      ]) {
        const { status, text } = await ask(`Host: ${first}\r\nX: y\r\nHOST: ${second}\r\n`, path);
        expect(status, `${path} ${first} ${second}`).toBe(400);
        expect(text.toLowerCase()).toContain("content-security-policy: default-src 'none'");
      }
    }
  });

  it("refuses to guess the host that HTTP/1.1 asks for", async () => {
    expect((await ask("")).status).toBe(400);
  });

  it("takes HTTP/1.0 without a host where the site's own address is known", async () => {
    expect((await ask("", "/", "1.0")).status).toBe("SITE_URL" in settings ? 200 : 400);
  });

  it("refuses paths that browsers would read as something else, and sends nobody to another site", async () => {
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
      const { status, text } = await ask("Host: localhost\r\n", path);
      expect(status, path).toBe(400);
      expect(text).not.toMatch(/^location:/im);
    }
    expect((await ask("Host: localhost\r\n", "/contact?back=%5C%0A\\")).status).toBe(200);
  });
});
