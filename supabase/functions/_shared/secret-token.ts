/**
 * A new secret for a link: 32 random bytes in base64url, 43 characters. It stands in the mail that brings it, for as long
 * as that mail waits or is a file; all else that is stored is its digest, which opens nothing.
 */
export function newSecretToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

/** SHA-256 of a token in hexadecimal, as the database works it out from the token itself. */
export async function digestOfToken(token: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
