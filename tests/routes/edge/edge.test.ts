import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { routes } from "~/routes";
import { exchange } from "../../fuzz/support/exchange";
import { signInAdmin, useSharedSite } from "../support/world";

const product = useSharedSite();

const get = (path: string, lines = "") =>
  exchange(product.url, `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${lines}Connection: close\r\n\r\n`);

it.each<[string, RequestInit?]>([
  ["/"],
  ["/contact"],
  ["/contact.data"],
  ["/admin", { redirect: "manual" }],
  ["/no-such-page"],
  ["/favicon.svg"],
  ["a built file"],
  ["/assets/none.js"],
  ["/Contact/", { redirect: "manual" }],
  ["/", { method: "DELETE" }],
  ["/%ff"],
])("sends the security headers with the response to %s", async (path, init) => {
  const built = /href="(\/assets\/[^"]+\.woff2)"/.exec((await product.get("/")).html)?.[1];
  const { headers } = await fetch(product.url + (path === "a built file" ? built : path), init);
  const policy = headers.get("content-security-policy");
  expect(policy).toMatch(/^default-src 'none'; script-src .*; frame-ancestors 'none'$/);
  expect(policy).not.toContain("unsafe");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
  expect(headers.get("x-powered-by")).toBeNull();
  expect(headers.get("strict-transport-security")).toBeNull();
});

it.each([
  "GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
  "GET /%00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
  "NONSENSE\r\n\r\n",
  `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"y".repeat(40_000)}\r\n\r\n`,
])("sends a clear 4xx with the security headers to malformed HTTP: %j", async (bytes) => {
  const { text } = await exchange(product.url, bytes);
  expect(text).toMatch(/^HTTP\/1\.1 4\d\d /);
  expect(text).toMatch(/^content-security-policy: default-src 'none'/im);
});

it.each(["bytes=5-2", "bytes=0-0", "bytes=-5", "bytes=99999-", "bytes=x-y", "bytes=0-1,3-4", "bytes", ""])(
  "sends the whole file for the range %j",
  async (range) => {
    for (const path of ["/favicon.ico", "/share/about.png", "/robots.txt", "/about"]) {
      const { status, text } = await get(path, `Range: ${range}\r\nIf-Range: "x"\r\n`);
      expect(status, path).toBe(200);
      expect(text, path).not.toMatch(/^(?:accept-ranges|content-range):/im);
    }
  },
);

it("ignores an unknown Expect header", async () => {
  expect((await get("/about", "Expect: nothing\r\n")).status).toBe(200);
});

it("does not reveal in a request id the number of requests in between", async () => {
  const address = `${product.url}/about?cookie-preferences=open`;
  const answers = [await fetch(address), await fetch(address)];
  const [one = "", next = ""] = answers.map(({ headers }) => headers.get("x-request-id") ?? "");
  expect(one).toMatch(/^[0-9a-f-]{36}$/);
  expect([...one].filter((letter, at) => letter === next[at]).length).toBeLessThan(24);
});

it("redirects another spelling of a path in one hop, on this site only", async () => {
  const { status, text } = await get("//evil.example/Contact/?A=b");
  expect([status, /^location: (.*)\r$/im.exec(text)?.[1]]).toEqual([308, "/evil.example/contact?A=b"]);
});

it.each([
  ["/favicon.svg", 200],
  ["/favicon%2esvg", 200],
  ["/favicon%2fsvg", 404],
  ["/not-there", 404],
  ["/assets/", 404],
  ["/share/", 404],
  ["/.git/config", 404],
  ["/not-there.data", 404],
  ["/healthz", 200],
  ["/contact?back=%5C%0A\\", 200],
])("finds files in any spelling, while a missing page stays missing: %s", async (path, status) => {
  expect((await get(path)).status).toBe(status);
});

const addresses = Object.keys(routes)
  .filter((route) => route !== "*")
  .map((route) => `/${route.replaceAll(/:\w+/g, randomUUID())}`);

it("answers a GET of every address with a page, a file or a redirect, for strangers and admins", async () => {
  for (const visitor of [product.visitor(), await signInAdmin(product)]) {
    for (const address of addresses) {
      const { status, html } = await visitor.get(address);
      expect([address, [200, 303, 308, 404].includes(status) || status]).toEqual([address, true]);
      expect([address, html]).toEqual([address, expect.not.stringContaining("Unexpected Server Error")]);
    }
  }
});
