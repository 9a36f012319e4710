import { codeOf } from "./backend.ts";
import { readAtMost } from "./read-at-most.ts";
import { logEvent } from "./runtime.ts";

/**
 * The largest request body that a function reads, in bytes (256 kB), equal to the site's limit for forms. The longest
 * message takes 60 kB when it consists of emoji written as `\\uXXXX`, and more when letters are decomposed.
 */
const bodyLimit = 262_144;

/**
 * Responds with JSON that must not be cached.
 * @param headers further headers, like Allow
 */
export function respond(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { "Cache-Control": "no-store", ...headers } });
}

/**
 * Creates an edge function that takes posts only (405 otherwise). A failure is logged by its code and gets 503.
 * @param options the log event of a failure, and the function
 */
export function respondToPosts({ failure, serve }: { failure: string; serve(request: Request): Promise<Response> }) {
  return {
    async fetch(request: Request): Promise<Response> {
      if (request.method !== "POST") return respond(405, { error: "method-not-allowed" }, { Allow: "POST" });
      try {
        return await serve(request);
      } catch (error) {
        logEvent({ event: failure, code: codeOf(error) });
        return respond(503, { error: "unavailable" });
      }
    },
  };
}

/**
 * Reads a JSON body of at most `bodyLimit` bytes, regardless of Content-Length.
 * @returns the value and its bytes, or the refusal: 415 for another content type, 413 when it is too large, 400 when it
 *   is not JSON
 */
export async function readJson(
  request: Request,
): Promise<{ value: unknown; bytes: Uint8Array<ArrayBuffer> } | { refusal: Response }> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") return { refusal: respond(415, { error: "unsupported-media-type" }) };
  const bytes = await readAtMost(request, bodyLimit);
  if (!bytes) return { refusal: respond(413, { error: "too-large" }) };
  try {
    return { value: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)), bytes };
  } catch {
    return { refusal: respond(400, { error: "invalid", fields: {} }) };
  }
}

/** Returns the token of an `Authorization: Bearer` header, or null. */
export function readBearerToken(request: Request): string | null {
  return /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? null;
}
