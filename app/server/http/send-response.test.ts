import type { AddressInfo } from "node:net";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, type RequestListener, createServer, request as sendRequest } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, it, onTestFinished } from "vitest";
import { createSendResponse } from "~/server/http/send-response.server";
import { sendText } from "~/server/http/refusals.server";
import { createLocalClock } from "~/lib/local-clock";
import { createLog } from "../observability/log.server";
import { noMetrics } from "../observability/product-metrics.server";
import { createPageMemory } from "./page-memory.server";

const sendResponse = createSendResponse();
const page = `<!DOCTYPE html><p>${"é and 日本語 ".repeat(200)}</p>`;
const html = { "Content-Type": "text/html; charset=utf-8" };

it("compresses a page in an accepted encoding and sends its length", async () => {
  const body = (encoding: string) => fetchThroughServer(() => new Response(page, { headers: html }), { encoding });
  const [brotli, gzip, plain] = await Promise.all(["gzip, br", "gzip", "identity"].map(body));
  expect(brotliDecompressSync(brotli?.bytes ?? "").toString()).toBe(page);
  expect(gunzipSync(gzip?.bytes ?? "").toString()).toBe(page);
  expect(plain?.bytes.toString()).toBe(page);
  const encodings = [brotli, gzip, plain].map((response) => response?.headers.get("content-encoding"));
  expect(encodings).toEqual(["br", "gzip", null]);
  for (const response of [brotli, gzip, plain]) {
    expect(response?.headers.get("content-length")).toBe(String(response?.bytes.length));
    expect(response?.headers.get("vary")).toBe("Accept-Encoding");
  }
});

it("responds to HEAD with headers and no body", async () => {
  const response = await fetchThroughServer(() => new Response(null, { status: 404, headers: html }), {
    method: "HEAD",
    encoding: "br",
  });
  expect([response.status, response.bytes.length, response.headers.get("content-encoding")]).toEqual([404, 0, null]);
});

it.each([
  ["text/x-script", "text/x-script; charset=utf-8"],
  ["text/csv; charset=utf-8; header=present", "text/csv; charset=utf-8; header=present"],
  ["image/png", "image/png"],
])("names the charset of text alone: %s", async (type, sent) => {
  const { headers } = await fetchThroughServer(() => new Response("a", { headers: { "Content-Type": type } }), {});
  expect(headers.get("content-type")).toBe(sent);
});

it("sends each cookie in a separate header line", async () => {
  const cookies = ["a=1; Path=/", "b=2; Path=/"];
  const headers = new Headers();
  for (const cookie of cookies) headers.append("Set-Cookie", cookie);
  const response = await fetchThroughServer(() => new Response(null, { status: 303, headers }), {});
  expect(response.headers.getSetCookie()).toEqual(cookies);
});

it("sends a streamed body, compressed or not", async () => {
  const pieces = ["name\n", "Ada\n".repeat(500), "Grace\n"];
  const makeResponse = () => createFile(pieces.map((piece) => Buffer.from(piece)));
  const brotli = await fetchThroughServer(makeResponse, { encoding: "br" });
  expect(brotliDecompressSync(brotli.bytes).toString()).toBe(pieces.join(""));
  expect((await fetchThroughServer(makeResponse, {})).bytes.toString()).toBe(pieces.join(""));
});

it("does not compress an image", async () => {
  const headers = { "Content-Type": "image/png" };
  const response = await fetchThroughServer(() => new Response(page, { headers }), { encoding: "br" });
  expect(response.bytes.toString()).toBe(page);
  expect(response.headers.get("vary")).toBeNull();
});

it.each(["br", ""])(
  "closes the connection when the body fails midway, so that the client notices (%s)",
  async (encoding) => {
    // More bytes than a compressor buffers, so that some of them are sent.
    const response = fetchThroughServer((arrived) => createFile([randomBytes(500_000)], arrived), { encoding });
    await expect(response).rejects.toThrow(connectionError);
  },
);

it.each(["br", "gzip", ""])(
  "allows an error response when the body fails before anything was sent (%s)",
  async (encoding) => {
    const response = await fetchThroughServer(() => createFile([], Promise.resolve()), { encoding });
    expect([response.status, response.bytes.toString()]).toEqual([500, errorText]);
    for (const name of ["content-encoding", "content-disposition", "vary"])
      expect(response.headers.get(name), name).toBeNull();
    expect(response.headers.get("x-frame-options")).toBe("DENY");
  },
);

/** Creates a file of these pieces. With `failure`, its body fails after them, once that resolves. */
const createFile = (pieces: Buffer[], failure?: Promise<unknown>) =>
  new Response(
    new ReadableStream({
      async pull(controller) {
        const piece = pieces.shift();
        if (piece) return controller.enqueue(piece);
        if (failure === undefined) return controller.close();
        await failure;
        controller.error(new Error("the database went away"));
      },
    }),
    { headers: { "Content-Type": "text/csv", "Content-Disposition": "attachment" } },
  );

const errorText = "Try again in a minute.";

/** Messages of Node's client. */
const connectionError = /aborted|socket hang up/;

/** Sends a response through a server and reads it as a client. */
async function fetchThroughServer(
  makeResponse: (arrived: Promise<unknown>) => Response,
  { method = "GET", encoding = "" }: { method?: string; encoding?: string },
) {
  const port = await listen((request, response) => {
    // The site sends it with every response.
    response.setHeader("X-Frame-Options", "DENY");
    sendResponse(request, response, makeResponse(arrived)).catch(() => {
      if (response.headersSent) response.destroy();
      else sendText(response, 500, errorText);
    });
  });
  const sent = sendRequest({ port, host: "127.0.0.1", method, headers: { "Accept-Encoding": encoding } }).end();
  const arrived = once(sent, "response");
  const [response] = (await arrived) as [IncomingMessage];
  const headers = new Headers();
  for (const [name, values] of Object.entries(response.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  return { status: response.statusCode ?? 0, headers, bytes: await buffer(response) };
}

/** Requests /about twice; returns the number of renders, and how many responses the memory left to the framework. */
async function requestTwice(init: ResponseInit) {
  let [renders, left] = [0, 0];
  const site = { log: createLog(), metrics: noMetrics, clock: createLocalClock("UTC") };
  const memory = createPageMemory(site, {
    cachesPages: true,
    render: async () => {
      renders += 1;
      return new Response("A page", init);
    },
    listOwnPages: () => [],
    findVariant: () => ({ key: "", variant: undefined, setCookies: [] }),
    defaultHeaders: {},
    compression: "quick",
    failures: { end: () => undefined },
  });
  const respond = memory.respond(() => ({ pattern: "/about", id: "about" }));
  const port = await listen((request, response) => {
    const exchange = { request, response, requestId: "", route: null, isSameOrigin: true };
    respond(exchange, () => {
      left += 1;
      response.end();
    });
  });
  for (let visit = 0; visit < 2; visit++) await (await fetch(`http://127.0.0.1:${port}/about`)).text();
  return { renders, left };
}

it.each<[string, ResponseInit, Awaited<ReturnType<typeof requestTwice>>]>([
  ["keeps a page", {}, { renders: 1, left: 0 }],
  ["keeps no page that sets a cookie", { headers: { "Set-Cookie": "id=1" } }, { renders: 2, left: 2 }],
  ["keeps no page with another status", { status: 503 }, { renders: 2, left: 2 }],
])("%s", async (_name, init, expected) => {
  expect(await requestTwice(init)).toEqual(expected);
});

/** @returns the port of a server that ends with the test */
async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
