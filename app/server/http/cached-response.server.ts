import { createHash } from "node:crypto";
import { type IncomingMessage, type OutgoingHttpHeader, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { ContentEncoding, createEncodingChoice } from "./content-encoding.server";

/**
 * Sends a rendered page in an accepted encoding, or 304 when the visitor has it already (RFC 9110, section 13.1.2).
 * @param setCookies `Set-Cookie` values for this visitor alone
 */
export type SendCached = (request: IncomingMessage, response: ServerResponse, setCookies: readonly string[]) => void;

/** Headers that select a page's variant, for caches between the site and the visitor. */
const pageVary = "Accept-Encoding, Cookie, DNT, Sec-GPC";

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Options of {@link prepareCached}. */
export interface PrepareOptions {
  /** Headers of every response; the page's own override them. */
  defaultHeaders: Record<string, string>;
  /** True if the page depends on no cookie and no signal. */
  isForEverybody: boolean;
  compression: Compression;
  chooseEncoding: ReturnType<typeof createEncodingChoice>;
}

/** "best" takes 50 ms of CPU time per page. "quick" takes 1 ms, for short-lived sites such as those of tests. */
export type Compression = "best" | "quick";

const brotliQuality = { best: constants.BROTLI_MAX_QUALITY, quick: 4 };
const gzipLevel = { best: constants.Z_BEST_COMPRESSION, quick: constants.Z_BEST_SPEED };

/** Compresses a page in every encoding. @returns a function that sends it any number of times */
export async function prepareCached(
  page: Response,
  { defaultHeaders, isForEverybody, compression, chooseEncoding }: PrepareOptions,
): Promise<SendCached> {
  const { status } = page;
  const body = Buffer.from(await page.arrayBuffer());
  const [br, zip] = await Promise.all([
    compressBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality[compression] } }),
    compressGzip(body, { level: gzipLevel[compression] }),
  ]);
  const headers = new Headers(defaultHeaders);
  for (const [name, value] of page.headers) headers.set(name, value);
  headers.set("Vary", isForEverybody ? "Accept-Encoding" : pageVary);
  const tag = createHash("sha256")
    .update(body)
    .update(JSON.stringify([...headers]))
    .digest("base64url")
    .slice(0, 11);
  const encodings = {
    br: encode(br, "br", headers, tag, status),
    gzip: encode(zip, "gzip", headers, tag, status),
    identity: encode(body, "identity", headers, tag, status),
  };
  return ({ method, headers: sent }, response, setCookies) => {
    const { etag, headerLines, notModifiedLines, bytes } = encodings[chooseEncoding(sent["accept-encoding"])];
    if (status === 200 && hasTag(sent["if-none-match"], etag)) {
      writeHead.call(response, 304, withCookies(notModifiedLines, setCookies));
      response.end();
      return;
    }
    writeHead.call(response, status, withCookies(headerLines, setCookies));
    response.end(method === "HEAD" ? undefined : bytes);
  };
}

/** Skips the wrapper that adds the default headers: cached responses contain them, and most requests end here. */
const { writeHead } = ServerResponse.prototype;

interface EncodedResponse {
  etag: string;
  bytes: Buffer;
  /** Names and values in turn, the format that `writeHead` takes without processing each. */
  headerLines: string[];
  notModifiedLines: string[];
}

function encode(
  bytes: Buffer,
  encoding: ContentEncoding,
  headers: Headers,
  tag: string,
  status: number,
): EncodedResponse {
  const etag = `"${tag}-${encoding}"`;
  // Clients do not revalidate a missing page.
  const shared = [...headers, ...(status === 200 ? [["ETag", etag]] : [])].flat();
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
  };
}

/** Adds all cookies as one array value, so that Node validates the name once. */
function withCookies(headerLines: string[], setCookies: readonly string[]): OutgoingHttpHeader[] {
  return setCookies.length === 0 ? headerLines : [...headerLines, "Set-Cookie", setCookies as string[]];
}

function hasTag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch === "*") return true;
  return ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}
