import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { filledDataRightsForm, readRequestLinks } from "../../support/data-rights";
import { startSite, type TestSite } from "../../support/site";
import { Visitor, readText } from "../../support/visitor";

const limit = 6;
let product: TestSite;

beforeAll(async () => {
  product = await startSite({ POST_RATE_LIMIT: String(limit), TRUSTED_PROXIES: "1" });
});
afterAll(async () => {
  await product.stop();
});

let lastHost = 0;
const newAddress = () => ({ "X-Forwarded-For": `198.51.100.${++lastHost}` });
const paths = ["/data-rights", "/data-rights/confirm", "/data-rights/status"];

describe.each(paths)("a post to %s", (path) => {
  it.each(["https://evil.example", "null", "not an origin"])("is refused with 403 from %s", async (origin) => {
    const { status, html } = await new Visitor(product.url).post(path, filledDataRightsForm, {
      Origin: origin,
      ...newAddress(),
    });
    expect(status).toBe(403);
    expect(readText(html)).toContain("That came from another site");
  });

  it("is refused with 413 above 256 kB, and with 415 if it is not a form", async () => {
    const body = new URLSearchParams({ description: "x".repeat(256 * 1024) });
    const large = await fetch(product.url + path, { method: "POST", body, headers: newAddress() });
    expect(large.status).toBe(413);
    const json = { "Content-Type": "application/json", ...newAddress() };
    expect((await fetch(product.url + path, { method: "POST", body: "{}", headers: json })).status).toBe(415);
  });
});

/** Returns a client of one IPv6 /48. */
const from = (host: number) => ({ "X-Forwarded-For": `2001:db8:77:${host.toString(16)}::1` });

describe("too many visits to secret links", () => {
  const visits = 30;
  const statusPath = `/data-rights/status?token=${"A".repeat(43)}`;
  const confirmPath = `/data-rights/confirm?token=${"A".repeat(43)}`;

  it("get 429 and a page with instructions; a malformed token is refused and not counted", async () => {
    const busy = newAddress();
    const visitor = new Visitor(product.url);
    // If it counted, the last of the others would be refused.
    expect((await visitor.get("/data-rights/status?token=x", busy)).status).toBe(404);
    expect((await visitor.get("/data-rights/confirm?token=x", busy)).status).toBe(404);
    for (let i = 0; i < visits; i++)
      expect((await visitor.get(i % 2 ? statusPath : confirmPath, busy)).status).toBe(404);
    for (const path of [statusPath, `${statusPath}&withdraw=ask`, confirmPath]) {
      const { status, headers, html } = await visitor.get(path, busy);
      expect(status).toBe(429);
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(400);
      expect(headers.get("cache-control")).toBe("no-store, no-transform");
      expect(html).toMatch(/<title>Too many requests/);
      expect(readText(html).replaceAll("\u00a0", " ")).toContain("wait 10 minutes and try again");
    }
    expect((await visitor.get("/data-rights/status?token=x", busy)).status).toBe(404);
    // The client's forms and other clients' links still work.
    expect((await visitor.post("/data-rights", { name: "x" }, busy)).status).toBe(400);
    expect((await visitor.get(statusPath, newAddress())).status).toBe(404);
  });

  it("count over all clients of an IPv6 /48 as well, with four times the limit", async () => {
    const visitor = new Visitor(product.url);
    for (let i = 0; i < 4 * visits; i++) expect((await visitor.get(statusPath, from(i))).status).toBe(404);
    expect((await visitor.get(statusPath, from(5_000))).status).toBe(429);
    expect((await visitor.get(statusPath, { "X-Forwarded-For": "2001:db8:78::1" })).status).toBe(404);
  });
});

describe("too many posts", () => {
  it("keep the typed text, say when to return, and affect no other client", async () => {
    const busy = newAddress();
    const visitor = new Visitor(product.url);
    for (let i = 0; i < limit; i++) {
      expect((await visitor.post("/data-rights", { name: "x" }, busy)).status).toBe(400);
    }
    const { status, headers, html } = await visitor.post("/data-rights", filledDataRightsForm, busy);
    expect(status).toBe(429);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(html).toMatch(/<title>Error: /);
    expect(readText(html)).toContain("Your text is still here");
    expect(html).toContain(`value="${filledDataRightsForm.email}"`);
    expect(html).toContain("And since when?</textarea>");
    expect(html).toMatch(/<option value="access" selected="">/);
    expect((await visitor.post("/data-rights", filledDataRightsForm, newAddress())).status).toBe(303);
  });

  it("confirm nothing: 429 with Retry-After, and the link still works", async () => {
    const visitor = new Visitor(product.url);
    const form = { ...filledDataRightsForm, email: "patient@guards.example" };
    await visitor.post("/data-rights", form, newAddress());
    const { confirm } = await readRequestLinks(product.dataDir, form.email);
    const token = new URL(confirm, product.url).searchParams.get("token") ?? "";
    const busy = newAddress();
    for (let i = 0; i < limit; i++) await visitor.post("/data-rights/confirm", { token: "x" }, busy);
    const { status, headers, html } = await visitor.post("/data-rights/confirm", { token }, busy);
    expect(status).toBe(429);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(headers.get("cache-control")).toBe("no-store, no-transform");
    expect(readText(html)).toContain("Your link still works, and nothing has changed.");
    expect((await visitor.get(confirm)).status).toBe(200);
    expect((await visitor.post("/data-rights/confirm", { token }, newAddress())).status).toBe(303);
  });
});
