import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { PassThrough } from "node:stream";
import { brotliCompressSync, constants, createBrotliCompress, createGzip, gzipSync } from "node:zlib";
import { writeReadableStreamToWritable } from "@remix-run/node";
import { type ContentEncoding, createEncodingChoice } from "./content-encoding.server";

/**
 * Settings for responses to one visitor alone. From 50 kB, quality 3 makes 14.3 kB in 0.4 ms, quality 4 makes 13.6 kB
 * in 0.7 ms, and the best makes 11 kB in 60 ms. Memory grows with the window: the default takes megabytes per page and
 * makes no page smaller.
 */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_LGWIN]: 16 } };
const gzip = { level: 3 };

/** Below this size, compression saves too little. */
const compressionThreshold = 1024;
const compressibleType = /^(?:text\/|image\/svg|application\/(?:[\w.-]+\+)?(?:json|xml|javascript)\b)/;

/**
 * Creates the function that sends a response of the framework.
 * @returns a function that throws the error that interrupted the body; if nothing was sent by then, the headers of
 *   `response` are restored
 */
export function createSendResponse() {
  const chooseEncoding = createEncodingChoice();
  return async (request: IncomingMessage, response: ServerResponse, rendered: Response): Promise<void> => {
    const before = response.getHeaders();
    response.statusCode = rendered.status;
    response.statusMessage = rendered.statusText;
    for (const [name, value] of rendered.headers) response.appendHeader(name, value);
    const type = rendered.headers.get("content-type") ?? "";
    // The framework names none for its data, `text/x-script`.
    if (/^text\/[^;]+$/.test(type)) response.setHeader("Content-Type", `${type}; charset=utf-8`);
    const isCompressible = compressibleType.test(type);
    if (isCompressible) response.appendHeader("Vary", "Accept-Encoding");
    const encoding = isCompressible ? chooseEncoding(request.headers["accept-encoding"]) : "identity";
    try {
      if (rendered.body === null) response.end();
      else if (type.startsWith("text/html")) sendPage(response, Buffer.from(await rendered.arrayBuffer()), encoding);
      else await sendStream(response, rendered.body, encoding);
    } catch (error) {
      if (!response.headersSent) restoreHeaders(response, before);
      throw error;
    }
  };
}

/** Compresses a page synchronously, because a stream through other threads costs more. */
function sendPage(response: ServerResponse, page: Buffer, encoding: ContentEncoding): void {
  let body = page;
  if (encoding !== "identity" && page.length >= compressionThreshold) {
    body = encoding === "br" ? brotliCompressSync(page, brotli) : gzipSync(page, gzip);
    response.setHeader("Content-Encoding", encoding);
  }
  response.setHeader("Content-Length", body.length);
  response.end(body);
}

async function sendStream(response: ServerResponse, body: ReadableStream<Uint8Array>, encoding: ContentEncoding) {
  if (encoding !== "identity") {
    response.setHeader("Content-Encoding", encoding);
    response.removeHeader("content-length");
  }
  const encoder = createEncoder(encoding);
  // If the body failed before anything was sent, the caller has ended the response with an error already.
  encoder.once("error", () => response.writableEnded || response.destroy());
  response.once("close", () => encoder.destroy());
  encoder.pipe(response);
  return writeReadableStreamToWritable(body, encoder);
}

function createEncoder(encoding: ContentEncoding) {
  if (encoding === "identity") return new PassThrough();
  return encoding === "br" ? createBrotliCompress(brotli) : createGzip(gzip);
}

/** Restores the headers, so that the caller can send an uncompressed error response. */
function restoreHeaders(response: ServerResponse, headers: OutgoingHttpHeaders): void {
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) response.setHeader(name, value);
}
