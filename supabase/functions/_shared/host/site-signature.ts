import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** The signed parts of a call. */
export interface SignedParts {
  /** the function's name, so that a signed call cannot be replayed to another function */
  name: string;
  headers: Headers;
  body: string | Uint8Array<ArrayBuffer>;
}

/** Header that carries the signature. */
export const signatureHeader = "x-site-signature";

const minuteMs = 60_000;

/**
 * Signs a call with the secret that the site shares with its functions (SITE_KEY): HMAC-SHA-256 over the minute, the
 * function's name, the client's code, the client's address and the digest of the body.
 *
 * A leaked signature can be replayed for two minutes, but only for an identical call. The content bounds the damage:
 * the same message or request is stored once a day, the same consent and the same report once, an account link works
 * once, and a mailbox gets three links to a new password an hour.
 * @returns the signature in base64url
 */
export function signCall(siteKey: string, parts: SignedParts, now = Date.now()): string {
  return createSigner(siteKey, parts)(minuteOf(now));
}

/**
 * Verifies a call's signature in constant time. Accepts the previous and the next minute, because clocks differ and
 * calls take time.
 */
export function isSignedBySite(siteKey: string, parts: SignedParts, now = Date.now()): boolean {
  const signature = parts.headers.get(signatureHeader) ?? "";
  if (!/^[\w-]{43}$/.test(signature)) return false;
  const sign = createSigner(siteKey, parts);
  return [-1, 0, 1].some((difference) => timingSafeEqual(encode(signature), encode(sign(minuteOf(now) + difference))));
}

/** Creates the signer of a call. Line breaks join the parts, because neither a header nor a name can contain one. */
function createSigner(siteKey: string, { name, headers, body }: SignedParts): (minute: number) => string {
  const client = ["x-client-code", "x-client-address"].map((header) => headers.get(header) ?? "");
  const digest = createHash("sha256").update(body).digest("hex");
  return (minute) =>
    createHmac("sha256", siteKey)
      .update([minute, name, ...client, digest].join("\n"))
      .digest("base64url");
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function minuteOf(time: number): number {
  return Math.floor(time / minuteMs);
}
