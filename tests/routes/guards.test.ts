import { request } from "node:http";
import { connect } from "node:net";
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
const forms = ["/contact", "/login", "/logout"];

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

describe("every response", () => {
  it("carries the security headers, whatever it is", async () => {
    const asset = /href="(\/assets\/[^"]+\.woff2)"/.exec((await new Visitor(product.url).get("/")).html)?.[1];
    expect(asset).toBeDefined();
    for (const [path, init] of [
      ["/", {}],
      ["/contact", {}],
      ["/contact.data", {}],
      ["/admin", { redirect: "manual" }],
      ["/no-such-page", {}],
      ["/favicon.svg", {}],
      [asset, {}],
      ["/assets/none.js", {}],
      ["/Contact/", { redirect: "manual" }],
      ["/", { method: "DELETE" }],
      ["/%ff", {}],
    ] as [string, RequestInit][]) {
      const { headers } = await fetch(product.url + path, init);
      const csp = headers.get("content-security-policy") ?? "";
      expect(csp, path).toContain("default-src 'none'");
      expect(csp, path).toContain("frame-ancestors 'none'");
      expect(csp, path).not.toContain("unsafe");
      expect(csp.match(/script-src/g), path).toHaveLength(1);
      expect(headers.get("x-content-type-options"), path).toBe("nosniff");
      expect(headers.get("referrer-policy"), path).toBe("strict-origin-when-cross-origin");
      expect(headers.get("permissions-policy"), path).toContain("camera=()");
      expect(headers.get("cross-origin-opener-policy"), path).toBe("same-origin");
      expect(headers.get("cross-origin-resource-policy"), path).toBe("same-origin");
      expect(headers.get("x-powered-by"), path).toBeNull();
      expect(headers.get("strict-transport-security"), path).toBeNull();
    }
  });

  it("is a clear 4xx with the same headers for what is hardly HTTP", async () => {
    for (const head of [
      "GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: bad host\r\n\r\n",
      "GET /%00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "NONSENSE\r\n\r\n",
      `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"y".repeat(40_000)}\r\n\r\n`,
    ]) {
      const answer = await exchange(head);
      expect(answer, head.slice(0, 40)).toMatch(/^HTTP\/1\.1 4\d\d /);
      expect(answer.toLowerCase()).toContain("content-security-policy: default-src 'none'");
    }
  });
});

describe("addresses", () => {
  it("have one spelling: others lead to it in one hop, on this site only", async () => {
    for (const [asked, canonical] of [
      ["/Contact/", "/contact"],
      ["/CONTACT?A=b", "/contact?A=b"],
      ["/privacy-policy//", "/privacy-policy"],
      ["//evil.example/", "/evil.example"],
    ]) {
      const answer = await exchange(`GET ${asked} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 308 /);
      expect(answer.toLowerCase()).toContain(`location: ${canonical?.toLowerCase()}\r\n`);
    }
  });
});

function exchange(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(Number(new URL(product.url).port), "localhost", () => socket.write(bytes));
    socket.on("data", (chunk) => {
      answer += chunk.toString();
      if (answer.includes("\r\n\r\n")) socket.end();
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", (error) => (answer ? resolve(answer) : reject(error)));
  });
}
