/**
 * Creates a secret for a link: 32 random bytes in base64url, 43 characters. The secret is stored only in the mail that
 * contains it, while that mail waits or is a file. Otherwise only its digest is stored, which opens nothing.
 */
export function newSecretToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

/** Returns the SHA-256 of a token, or of another text, in hexadecimal, as the database computes it. */
export async function digestOfToken(token: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Days that links in mails work after the work is done (private.retention_period; a test compares): the status link after
 * its request was closed, and the firm's link after its message was answered.
 */
export const linkDays = { status: 90, answered: 30 } as const;
