import { createHash } from "node:crypto";
import { type IncomingMessage, request } from "node:http";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { consentVersion, cookies } from "~/content/cookie-registry";
import { hashShownText } from "~/features/consent/record/consent-text.server";
import { type ConsentDecision, formatDecision } from "~/lib/consent";
import { scriptedPaths } from "../../support/page-source";

/**
 * Sends exactly this request. `fetch` would choose Host and Accept-Encoding itself and hide the compression.
 * @returns `bytes` counts the body before decompression
 */
export async function requestRaw(url: string, headers: Record<string, string> = {}, method = "GET", body?: string) {
  const sent = request(url, { method, headers });
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const content = await buffer(response);
  const found = new Headers();
  for (const [name, values] of Object.entries(response.headersDistinct)) {
    for (const value of values ?? []) found.append(name, value);
  }
  found.delete("connection");
  found.delete("keep-alive");
  const decode = { br: brotliDecompressSync, gzip: gunzipSync }[found.get("content-encoding") ?? ""];
  const text = (decode && content.length > 0 ? decode(content) : content).toString();
  return { status: response.statusCode ?? 0, headers: found, bytes: content.length, text };
}

/** A raw response. */
export type RawResponse = Awaited<ReturnType<typeof requestRaw>>;

/** Returns true for a page from memory: it has an ETag and, unlike a page rendered for one request, no X-Request-Id. */
export function isFromMemory({ headers }: { headers: Headers }): boolean {
  return headers.has("etag") && !headers.has("x-request-id");
}

/** Removes the data for a page's scripts, which contain the request's id and the key of an empty form. */
export function withoutScriptData(path: string, html: string): string {
  return scriptedPaths.includes(path) ? html.replace(/streamController\.enqueue\(.*/, "") : html;
}

/** Builds the headers of a visitor who made a cookie decision yesterday, on a site that uses analytics. */
export function decisionHeaders(changes: Partial<ConsentDecision>): { Cookie: string } {
  const { source = "banner" } = changes;
  return {
    Cookie: `${cookies.consentPreference.name}=${formatDecision({
      analytics: false,
      marketing: false,
      version: consentVersion,
      source,
      decidedAt: new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString(),
      textHash: hashShownText(source, true),
      underGpc: false,
      recordId: source === "signal" ? null : "a".repeat(32),
      isUnsaved: false,
      ...changes,
    })}`,
  };
}

/** Hashes every script within a page in the format of its Content-Security-Policy. */
export function hashScripts(html: string): string[] {
  const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, code = ""]) => code);
  return scripts.map((code) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`);
}
