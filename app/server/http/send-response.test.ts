import { randomBytes } from "node:crypto";
import { createServer, request as sendRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, it, onTestFinished } from "vitest";
import { createSendResponse } from "~/server/http/send-response.server";
import { sendText } from "~/server/http/send-text.server";

const sendResponse = createSendResponse();
const page = `<!DOCTYPE html><p>${"é and 日本語 ".repeat(200)}</p>`;
const html = { "Content-Type": "text/html; charset=utf-8" };

it("compresses a page as its visitor takes it, and tells its length", async () => {
  const body = (encoding: string) => ask(() => new Response(null, { headers: html }), { encoding, document: page });
  const [brotli, gzip, plain] = await Promise.all(["gzip, br", "gzip", "identity"].map(body));
  expect(brotliDecompressSync(brotli?.bytes ?? "").toString()).toBe(page);
  expect(gunzipSync(gzip?.bytes ?? "").toString()).toBe(page);
  expect(plain?.bytes.toString()).toBe(page);
  expect([brotli, gzip, plain].map((answer) => answer?.headers.get("content-encoding"))).toEqual(["br", "gzip", null]);
  for (const answer of [brotli, gzip, plain]) {
    expect(answer?.headers.get("content-length")).toBe(String(answer?.bytes.length));
    expect(answer?.headers.get("vary")).toBe("Accept-Encoding");
  }
});

it("sends a page's headers to HEAD, and no page", async () => {
  const answer = await ask(() => new Response(null, { status: 404, headers: html }), {
    method: "HEAD",
    encoding: "br",
    document: page,
  });
  expect([answer.status, answer.bytes.length, answer.headers.get("content-encoding")]).toEqual([404, 0, null]);
});

it("keeps every cookie a line of its own", async () => {
  const headers = new Headers([
    ["Set-Cookie", "a=1; Path=/"],
    ["Set-Cookie", "b=2; Path=/"],
  ]);
  const answer = await ask(() => new Response(null, { status: 303, headers }), {});
  expect(answer.headers.getSetCookie()).toEqual(["a=1; Path=/", "b=2; Path=/"]);
});

it("sends a body that comes in pieces, compressed or not", async () => {
  const pieces = ["name\n", "Ada\n".repeat(500), "Grace\n"];
  const headers = { "Content-Type": "text/csv; charset=utf-8" };
  const answer = () =>
    new Response(
      new ReadableStream({
        start(controller) {
          for (const piece of pieces) controller.enqueue(Buffer.from(piece));
          controller.close();
        },
      }),
      { headers },
    );
  const brotli = await ask(answer, { encoding: "br" });
  expect(brotliDecompressSync(brotli.bytes).toString()).toBe(pieces.join(""));
  expect((await ask(answer, {})).bytes.toString()).toBe(pieces.join(""));
});

it("leaves alone what is compressed already", async () => {
  const answer = await ask(() => new Response(page, { headers: { "Content-Type": "image/png" } }), { encoding: "br" });
  expect(answer.bytes.toString()).toBe(page);
  expect(answer.headers.get("vary")).toBeNull();
});

it("breaks off where its body does, so that nobody takes a part for the whole", async () => {
  await expect(ask(begun, { encoding: "br" })).rejects.toThrow(brokenOff);
  await expect(ask(begun, {})).rejects.toThrow(brokenOff);
});

it.each(["br", "gzip", ""])(
  "leaves room for another answer where its body fails before anything was sent (%s)",
  async (encoding) => {
    const answer = await ask(() => failing([]), { encoding });
    expect([answer.status, answer.bytes.toString()]).toEqual([500, sorry]);
    for (const name of ["content-encoding", "content-disposition", "vary"])
      expect(answer.headers.get(name), name).toBeNull();
    expect(answer.headers.get("x-frame-options")).toBe("DENY");
  },
);

/** More than a compressor keeps to itself, so that some of it is sent. */
const begun = () => failing([randomBytes(500_000)]);

/** A file that fails behind these pieces. */
const failing = (pieces: Buffer[]) =>
  new Response(
    new ReadableStream({
      async pull(controller) {
        const piece = pieces.shift();
        if (piece) return controller.enqueue(piece);
        await new Promise((resolve) => setTimeout(resolve, 20));
        controller.error(new Error("the database went away"));
      },
    }),
    { headers: { "Content-Type": "text/csv", "Content-Disposition": "attachment" } },
  );

const sorry = "Try again in a minute.";

/** As Node's client says it. */
const brokenOff = /aborted|socket hang up/;

/** Asks a server for an answer. */
async function ask(
  makeAnswer: () => Response,
  { method = "GET", encoding = "", document = null }: { method?: string; encoding?: string; document?: string | null },
) {
  const server = createServer((request, response) => {
    // As on everything that the site sends.
    response.setHeader("X-Frame-Options", "DENY");
    sendResponse(request, response, makeAnswer(), document).catch(() => {
      if (response.headersSent) response.destroy();
      else sendText(response, 500, sorry);
    });
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  return new Promise<{ status: number; headers: Headers; bytes: Buffer }>((resolve, reject) => {
    const options = { port, host: "127.0.0.1", method, headers: { "Accept-Encoding": encoding } };
    sendRequest(options, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        const headers = new Headers();
        for (const [name, values] of Object.entries(answer.headersDistinct))
          for (const value of values ?? []) headers.append(name, value);
        resolve({ status: answer.statusCode ?? 0, headers, bytes: Buffer.concat(chunks) });
      });
    })
      .on("error", reject)
      .end();
  });
}
