import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { ContentEncoding } from "./content-encoding.server";

/** A rendered page in every encoding, ready to be written to any number of visitors. */
export interface CachedResponse {
  /** Writes it, or 304 where the visitor has it already (RFC 9110, section 13.1.2). */
  respond(request: IncomingMessage, response: ServerResponse, encoding: ContentEncoding): SentPage;
}

/** What was written; `bytes` of the body. */
export interface SentPage {
  readonly status: number;
  readonly bytes: number;
}

const notModified: SentPage = { status: 304, bytes: 0 };
const headOnly: SentPage = { status: 200, bytes: 0 };

/** Headers on which a page's variant depends: caches between us and the visitor must know. */
const pageVary = "Accept-Encoding, Cookie, DNT, Sec-GPC";

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/**
 * Compresses a page once and for all, with the best quality there is.
 * @param defaultHeaders of every answer; the page's own stand in their place
 */
export async function createCachedResponse(
  page: Response,
  defaultHeaders: Record<string, string>,
): Promise<CachedResponse> {
  const body = Buffer.from(await page.arrayBuffer());
  const [br, zip] = await Promise.all([
    compressBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
    compressGzip(body, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  const headers = new Headers(defaultHeaders);
  for (const [name, value] of page.headers) headers.set(name, value);
  headers.set("Vary", pageVary);
  const tag = createHash("sha256")
    .update(body)
    .update(JSON.stringify([...headers]))
    .digest("base64url")
    .slice(0, 22);
  const encodings = {
    br: encode(br, "br", headers, tag),
    gzip: encode(zip, "gzip", headers, tag),
    identity: encode(body, "identity", headers, tag),
  };
  return {
    respond(request, response, encoding) {
      const { etag, headerLines, notModifiedLines, bytes, sent } = encodings[encoding];
      if (hasTag(request.headers["if-none-match"], etag)) {
        response.writeHead(304, notModifiedLines).end();
        return notModified;
      }
      response.writeHead(200, headerLines);
      if (request.method === "HEAD") {
        response.end();
        return headOnly;
      }
      response.end(bytes);
      return sent;
    },
  };
}

interface EncodedResponse {
  etag: string;
  bytes: Buffer;
  /** name, value, name, value …, as `writeHead` takes them without looking at each */
  headerLines: string[];
  notModifiedLines: string[];
  sent: SentPage;
}

function encode(bytes: Buffer, encoding: ContentEncoding, headers: Headers, tag: string): EncodedResponse {
  const etag = `"${tag}-${encoding}"`;
  const shared = [...headers, ["ETag", etag]].flat();
  return {
    etag,
    bytes,
    headerLines: [
      ...shared,
      ...(encoding === "identity" ? [] : ["Content-Encoding", encoding]),
      "Content-Length",
      String(bytes.byteLength),
    ],
    notModifiedLines: shared,
    sent: { status: 200, bytes: bytes.byteLength },
  };
}

function hasTag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch === "*") return true;
  return ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}
