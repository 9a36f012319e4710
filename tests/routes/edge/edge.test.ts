import { connect } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import type { RunningSite } from "../../support/product";
import { shareSite } from "../../support/shared-site";
import { Visitor } from "../../support/visitor";

let product: RunningSite;

beforeAll(async () => {
  product = await shareSite();
});

describe("every response", () => {
  it("carries the security headers", async () => {
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

  it("is a clear 4xx with the same headers for malformed HTTP", async () => {
    for (const head of [
      "GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: bad host\r\n\r\n",
      "GET / HTTP/1.1\r\n\r\n",
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

describe("a range request", () => {
  it.each(["bytes=5-2", "bytes=0-0", "bytes=-5", "bytes=99999-", "bytes=x-y", "bytes=0-1,3-4", "bytes", ""])(
    "gets the whole file: %j",
    async (range) => {
      for (const path of ["/favicon.ico", "/share/about.png", "/robots.txt", "/about"]) {
        const answer = await exchange(
          `GET ${path} HTTP/1.1\r\nHost: localhost\r\nRange: ${range}\r\nIf-Range: "x"\r\nConnection: close\r\n\r\n`,
        );
        expect(answer, path).toMatch(/^HTTP\/1\.1 200 /);
        expect(answer, path).not.toMatch(/^(?:accept-ranges|content-range):/im);
      }
    },
  );
});

describe("an Expect header", () => {
  it("with an unknown value is ignored", async () => {
    const answer = await exchange(
      "GET /about HTTP/1.1\r\nHost: localhost\r\nExpect: nothing\r\nConnection: close\r\n\r\n",
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer.toLowerCase()).toContain("content-security-policy: default-src 'none'");
  });
});

describe("a request id", () => {
  it("does not reveal the number of requests in between", async () => {
    const [one = "", next = ""] = await Promise.all(
      [1, 2].map(
        async () => (await fetch(`${product.url}/about?cookie-preferences=open`)).headers.get("x-request-id") ?? "",
      ),
    );
    expect(one).toMatch(/^[0-9a-f-]{36}$/);
    const lettersAlike = [...one].filter((letter, at) => letter === next[at]).length;
    expect(lettersAlike).toBeLessThan(24);
  });
});

describe("paths", () => {
  it("have one canonical spelling: others redirect to it in one hop, on this site only", async () => {
    for (const [requested, canonical] of [
      ["/Contact/", "/contact"],
      ["/CONTACT?A=b", "/contact?A=b"],
      ["/privacy-policy//", "/privacy-policy"],
      ["//evil.example/", "/evil.example"],
    ]) {
      const answer = await exchange(`GET ${requested} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 308 /);
      expect(answer.toLowerCase()).toContain(`location: ${canonical?.toLowerCase()}\r\n`);
    }
  });

  it("find files in any spelling, while a missing page stays missing", async () => {
    const visitor = new Visitor(product.url);
    await visitor.get("/not-there");
    for (const [path, status] of [
      ["/favicon.svg", 200],
      ["/favicon%2esvg", 200],
      ["/favicon%2fsvg", 404],
      ["/not-there", 404],
      ["/not-there.data", 404],
      ["/healthz", 200],
    ] as const) {
      expect((await visitor.get(path)).status, path).toBe(status);
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
