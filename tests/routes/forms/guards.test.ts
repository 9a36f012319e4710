import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSite, type TestSite } from "../../support/site";
import { Visitor, filledContactForm, readText } from "../../support/visitor";

let product: TestSite;

beforeAll(async () => {
  product = await startSite({ POST_RATE_LIMIT: "8", TRUSTED_PROXIES: "1" });
});
afterAll(async () => {
  await product.stop();
});

let lastHost = 0;
const newAddress = () => ({ "X-Forwarded-For": `198.51.100.${++lastHost}` });
const forms = ["/contact", "/login", "/logout", "/consent"];

describe("cross-site posts", () => {
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

  it("accepts a post without an origin header, which no browser sends, so no cookies are at risk", async () => {
    const response = await fetch(`${product.url}/contact`, {
      method: "POST",
      redirect: "manual",
      headers: newAddress(),
      body: new URLSearchParams(filledContactForm),
    });
    expect(response.status).toBe(303);
  });
});

describe("the limit of posts", () => {
  it("counts all spellings of a form's path together", async () => {
    const headers = newAddress();
    const statuses: number[] = [];
    for (const path of [
      "/contact",
      "/CONTACT",
      "/Contact/",
      "/contac%74",
      "/contact",
      "/cOntact",
      "/CONTACT",
      "/coNtact",
      "/conTact",
    ])
      statuses.push((await new Visitor(product.url).post(path, {}, headers)).status);
    expect(statuses).toEqual([400, 400, 400, 400, 400, 400, 400, 400, 429]);
  });
});

describe("size, type and method", () => {
  it.each(forms)("%s responds with 413 above 256 kB, with and without a declared length", async (path) => {
    const body = `message=${"x".repeat(256 * 1024)}`;
    const type = { "Content-Type": "application/x-www-form-urlencoded" };
    const declared = await fetch(product.url + path, { method: "POST", body, headers: { ...type, ...newAddress() } });
    expect(declared.status).toBe(413);
    expect(await declared.text()).toContain("256 kilobytes");
    const stream = new Blob([body]).stream();
    const init = { method: "POST", body: stream, headers: { ...type, ...newAddress() }, duplex: "half" };
    expect((await fetch(product.url + path, init as RequestInit)).status).toBe(413);
  });

  it("responds with 413 to a body of many megabytes without reading all of it", async () => {
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

  it("responds with 415 to a body that is not a form", async () => {
    const response = await fetch(`${product.url}/contact`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...newAddress() },
      body: JSON.stringify(filledContactForm),
    });
    expect(response.status).toBe(415);
  });

  it.each(["PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"])(
    "responds with 405 to %s and lists the allowed methods",
    async (method) => {
      for (const path of ["/", "/contact", "/login", "/favicon.svg"]) {
        const response = await fetch(product.url + path, { method });
        expect(response.status).toBe(405);
        expect(response.headers.get("allow")).toBe("GET, HEAD, POST");
      }
    },
  );

  it("responds with 405 to a post on a page without a form, and with 404 on a missing page", async () => {
    const visitor = new Visitor(product.url);
    const { status, headers } = await visitor.post("/", {}, newAddress());
    expect(status).toBe(405);
    expect(headers.get("allow")).toBe("GET, HEAD");
    expect((await visitor.post("/no-such-page", {}, newAddress())).status).toBe(404);
  });
});

describe("input that a page's own form never sends", () => {
  const type = { "Content-Type": "application/x-www-form-urlencoded" };

  it.each([
    ["a repeated field", "name=A&name=B&email=x"],
    ["an unknown field", "name=A&email=x&color=red"],
    ["fields named like object properties", "toString=1&constructor=2&__proto__=3"],
    ["an invalid choice", "privacyConsent=perhaps"],
    ["nothing", ""],
  ])("shows the form with its errors: %s", async (_name, body) => {
    const headers = { ...type, ...newAddress() };
    const response = await fetch(`${product.url}/contact`, { method: "POST", body, headers });
    expect(response.status).toBe(400);
    expect(readText(await response.text())).toContain("There is a problem");
  });

  it("in chunks is read completely", async () => {
    const body = new URLSearchParams({ ...filledContactForm, email: "no address" }).toString();
    const post = request(`${product.url}/contact`, { method: "POST", headers: { ...type, ...newAddress() } });
    for (const part of [body.slice(0, 40), body.slice(40)]) {
      post.write(part);
      await wait(50);
    }
    const responded = once(post.end(), "response");
    const [response] = (await responded) as [IncomingMessage];
    expect(response.statusCode).toBe(400);
    const html = await text(response);
    expect(readText(html)).toContain("correct format");
    expect(html).toContain("Can we talk?</textarea>");
  });
});

describe("too many posts", () => {
  it("get 429 with Retry-After and keep the typed text; other clients are unaffected", async () => {
    const busy = newAddress();
    const visitor = new Visitor(product.url);
    for (let i = 0; i < 8; i++) expect((await visitor.post("/contact", { name: "x" }, busy)).status).toBe(400);
    const { status, headers, html } = await visitor.post("/contact", filledContactForm, busy);
    expect(status).toBe(429);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(readText(html)).toContain("Your text is still here");
    expect(html).toContain(filledContactForm.company);
    expect(html).toContain("Can we talk?</textarea>");
    expect((await visitor.post("/contact", filledContactForm, newAddress())).status).toBe(303);
  });

  it("are counted by the hop that the trusted proxy added", async () => {
    const visitor = new Visitor(product.url);
    const statuses = [];
    for (let i = 0; i < 9; i++) {
      const headers = { "X-Forwarded-For": `192.0.2.${i}, 198.51.100.250` };
      statuses.push((await visitor.post("/contact", { name: "x" }, headers)).status);
    }
    expect(statuses).toEqual([...Array<number>(8).fill(400), 429]);
  });
});
