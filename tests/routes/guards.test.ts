import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Product, startProduct } from "../support/product";
import { Visitor, filledContactForm, readText } from "../support/visitor";

let product: Product;

beforeAll(async () => {
  product = await startProduct({ POST_RATE_LIMIT: "8", TRUSTED_PROXIES: "1" });
});
afterAll(async () => {
  await product.stop();
});

let lastHost = 0;
const newAddress = () => ({ "X-Forwarded-For": `198.51.100.${++lastHost}` });
const forms = ["/contact", "/login", "/logout", "/consent"];

describe("posts from elsewhere", () => {
  it.each(forms)("%s refuses a foreign, broken or null origin and a cross-site fetch with 403", async (path) => {
    for (const headers of [
      { Origin: "https://evil.example" },
      { Origin: "null" },
      { Origin: "not an origin" },
      { Origin: product.url.replace("http:", "https:").replace(/\d+$/, "1") },
      { Origin: "https://evil.example", "Sec-Fetch-Site": "same-origin" },
    ] as Record<string, string>[]) {
      const { status, html } = await new Visitor(product.url).post(path, filledContactForm, {
        ...headers,
        ...newAddress(),
      });
      expect(status, JSON.stringify(headers)).toBe(403);
      expect(readText(html)).toContain("That came from another site");
    }
    for (const site of ["cross-site", "same-site"]) {
      const response = await fetch(product.url + path, {
        method: "POST",
        redirect: "manual",
        headers: { "Sec-Fetch-Site": site, ...newAddress() },
        body: new URLSearchParams(filledContactForm),
      });
      expect(response.status).toBe(403);
    }
  });

  it("takes a post without any origin header: no browser sends that, so nobody's cookies are at risk", async () => {
    const response = await fetch(`${product.url}/contact`, {
      method: "POST",
      redirect: "manual",
      headers: newAddress(),
      body: new URLSearchParams(filledContactForm),
    });
    expect(response.status).toBe(303);
  });
});

describe("size, type and method", () => {
  it.each(forms)("%s answers 413 to more than 64 kB, with and without a declared length", async (path) => {
    const body = `message=${"x".repeat(64 * 1024)}`;
    const type = { "Content-Type": "application/x-www-form-urlencoded" };
    const declared = await fetch(product.url + path, { method: "POST", body, headers: { ...type, ...newAddress() } });
    expect(declared.status).toBe(413);
    expect(await declared.text()).toContain("64 kilobytes");
    const stream = new Blob([body]).stream();
    const init = { method: "POST", body: stream, headers: { ...type, ...newAddress() }, duplex: "half" };
    expect((await fetch(product.url + path, init as RequestInit)).status).toBe(413);
  });

  it("answers 413 to a body of many megabytes without reading it all", async () => {
    const status = await new Promise<number>((resolve, reject) => {
      const post = request(`${product.url}/contact`, {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded", "Content-Length": 500_000_000 },
      });
      post.on("response", (response) => {
        resolve(response.statusCode ?? 0);
        post.destroy();
      });
      post.on("error", reject);
      post.write("message=");
    });
    expect(status).toBe(413);
  });

  it("answers 415 to what is no form", async () => {
    const response = await fetch(`${product.url}/contact`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...newAddress() },
      body: JSON.stringify(filledContactForm),
    });
    expect(response.status).toBe(415);
  });

  it.each(["PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"])(
    "answers 405 to %s and says what is allowed",
    async (method) => {
      for (const path of ["/", "/contact", "/login", "/favicon.svg"]) {
        const response = await fetch(product.url + path, { method });
        expect(response.status).toBe(405);
        expect(response.headers.get("allow")).toBe("GET, HEAD, POST");
      }
    },
  );

  it("answers 405 to a post on a page that has no form, and 404 where there is no page", async () => {
    const visitor = new Visitor(product.url);
    const { status, headers } = await visitor.post("/", {}, newAddress());
    expect(status).toBe(405);
    expect(headers.get("allow")).toBe("GET, HEAD");
    expect((await visitor.post("/no-such-page", {}, newAddress())).status).toBe(404);
  });
});

describe("too many posts", () => {
  it("answers 429 with the time to wait and keeps what was typed; other clients are not touched", async () => {
    const busy = newAddress();
    const visitor = new Visitor(product.url);
    for (let i = 0; i < 8; i++) expect((await visitor.post("/contact", { name: "x" }, busy)).status).toBe(400);
    const { status, headers, html } = await visitor.post("/contact", filledContactForm, busy);
    expect(status).toBe(429);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(readText(html)).toContain("Your text is kept here");
    expect(html).toContain(filledContactForm.company);
    expect(html).toContain("Can we talk?</textarea>");
    expect((await visitor.post("/contact", filledContactForm, newAddress())).status).toBe(303);
  });

  it("believes only the hop that its own proxy added", async () => {
    const visitor = new Visitor(product.url);
    const statuses = [];
    for (let i = 0; i < 9; i++) {
      const headers = { "X-Forwarded-For": `192.0.2.${i}, 198.51.100.250` };
      statuses.push((await visitor.post("/contact", { name: "x" }, headers)).status);
    }
    expect(statuses).toEqual([...Array<number>(8).fill(400), 429]);
  });
});
