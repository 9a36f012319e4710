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
export async function signCall(siteKey: string, parts: SignedParts, now = Date.now()): Promise<string> {
  const key = await importKey(siteKey, "sign");
  const signature = await crypto.subtle.sign("HMAC", key, await canonicalForm(parts, minuteOf(now)));
  const base64 = btoa(String.fromCharCode(...new Uint8Array(signature)));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/**
 * Verifies a call's signature in constant time. Accepts the previous and the next minute, because clocks differ and
 * calls take time.
 */
export async function isSignedBySite(siteKey: string, parts: SignedParts, now = Date.now()): Promise<boolean> {
  const signature = readSignature(parts.headers);
  if (signature === null) return false;
  const key = await importKey(siteKey, "verify");
  const checks = [-1, 0, 1].map(async (difference) =>
    crypto.subtle.verify("HMAC", key, signature, await canonicalForm(parts, minuteOf(now) + difference)),
  );
  return (await Promise.all(checks)).includes(true);
}

/** Joins the parts with line breaks, which neither a header nor a name can contain. */
async function canonicalForm({ name, headers, body }: SignedParts, minute: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const digest = Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
  const client = ["x-client-code", "x-client-address"].map((header) => headers.get(header) ?? "");
  return new TextEncoder().encode([minute, name, ...client, digest.join(" ")].join("\n"));
}

function minuteOf(time: number): number {
  return Math.floor(time / minuteMs);
}

function readSignature(headers: Headers): Uint8Array<ArrayBuffer> | null {
  const value = headers.get(signatureHeader) ?? "";
  if (!/^[\w-]{43}$/.test(value)) return null;
  const binary = atob(value.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}

function importKey(siteKey: string, use: "sign" | "verify"): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", new TextEncoder().encode(siteKey), { name: "HMAC", hash: "SHA-256" }, false, [
    use,
  ]);
}
