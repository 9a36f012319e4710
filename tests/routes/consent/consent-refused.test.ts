import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { RunningSite } from "../../support/product";
import { shareSite } from "../../support/shared-site";
import { startSite } from "../../support/site";
import { Visitor, leadsTo, readText } from "../../support/visitor";
import { choose, consentForm, readSetCookies } from "../support/consent";

const siteUrl = "http://firm.example";
let product: RunningSite;
let visitor: Visitor;

beforeAll(async () => {
  product = await shareSite();
});
beforeEach(() => {
  visitor = new Visitor(product.url);
});

describe("a post that the banner and the dialog never send", () => {
  it.each([
    ["no choice", { choice: "" }],
    ["an unknown choice", { choice: "maybe" }],
    ["no source", { source: "" }],
    ["a signal as the source", { source: "signal" }],
    ["a text hash that is too long", { text: "1".repeat(65) }],
    ["a page that is too long", { page: `/${"x".repeat(2_000)}` }],
    ["an unknown response format", { answer: "xml" }],
    ["an invalid switch", { choice: "save", analytics: "off" }],
  ])("gets 400 and stores nothing: %s", async (_name, changes) => {
    const answer = await visitor.post("/consent", consentForm("accept", changes));
    expect(answer.status).toBe(400);
    expect(readSetCookies(answer)).toEqual([]);
  });

  it("gets 400 without any field", async () => {
    expect((await visitor.post("/consent", {})).status).toBe(400);
  });

  it.each([
    { Origin: "https://evil.example" },
    { Origin: "null" },
    { Origin: "https://evil.example", "Sec-Fetch-Site": "same-origin" },
  ] as Record<string, string>[])("gets 403 and stores nothing from another site: %j", async (headers) => {
    const answer = await visitor.post("/consent", consentForm("accept"), headers);
    expect(answer.status).toBe(403);
    expect(readSetCookies(answer)).toEqual([]);
    expect(readText(answer.html)).toContain("That came from another site");
  });

  it.each([{ DNT: "1" }, { "Sec-GPC": "1" }] as Record<string, string>[])(
    "records no signal when another site posts a choice: %j",
    async (signal) => {
      // A browser omits Lax cookies from a cross-site post, so it looks like a first visit.
      for (const path of ["/consent", "/contact", "/"]) {
        const headers = { ...signal, Origin: "https://evil.example" };
        const answer = await visitor.post(path, consentForm("accept"), headers);
        expect(answer.status, path).toBeGreaterThanOrEqual(400);
        expect(readSetCookies(answer), path).toEqual([]);
      }
    },
  );

  it("gets 413 when it is too large and 415 when it is not a form", async () => {
    const large = await visitor.post("/consent", consentForm("accept", { page: "x".repeat(256 * 1024) }));
    expect(large.status).toBe(413);
    const json = await fetch(`${product.url}/consent`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Origin: product.url },
      body: JSON.stringify(consentForm("accept")),
    });
    expect(json.status).toBe(415);
    expect(json.headers.getSetCookie()).toEqual([]);
  });

  it("has no page: a GET gets 404", async () => {
    const { status, html } = await visitor.get("/consent");
    expect(status).toBe(404);
    expect(readText(html)).toContain("Oops! Page not found");
  });
});

describe("redirects after a decision stay on this site", () => {
  it.each([
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "/.//evil.example",
    "https://evil.example/about",
    "javascript:alert(1)",
    "data:text/html,hello",
    "http://[",
  ])("from %j to the home page", async (page) => {
    const { status, headers } = await choose(visitor, "reject", { page });
    expect(status).toBe(303);
    expect(leadsTo({ headers })).toBe("/");
  });

  it.each(["/%2f%2fevil.example", "/%5cevil.example"])("from %s to a missing page of this site", async (page) => {
    const { headers } = await choose(visitor, "reject", { page });
    const location = leadsTo({ headers }) ?? "";
    expect(new URL(location, `${product.url}/consent`).origin).toBe(product.url);
    const next = await visitor.get(location);
    expect([400, 404]).toContain(next.status);
  });

  it("from a page with open preferences to the page without them", async () => {
    const { headers } = await choose(visitor, "save", { page: "/about?x=1&cookie-preferences=open#more" });
    expect(leadsTo({ headers })).toBe("/about?x=1#more");
  });

  it("from an absolute URL at SITE_URL, but not from one at the server's own address", async () => {
    const behindProxy = await startSite({ SITE_URL: siteUrl });
    try {
      const follow = async (page: string) => {
        const form = consentForm("reject", { page });
        const { headers } = await new Visitor(behindProxy.url).post("/consent", form, { Origin: siteUrl });
        return leadsTo({ headers });
      };
      expect(await follow(`${siteUrl}/value?x=1`)).toBe("/value?x=1");
      expect(await follow(`${behindProxy.url}/value`)).toBe("/");
    } finally {
      await behindProxy.stop();
    }
  });
});
