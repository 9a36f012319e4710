import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** Encrypts short texts, so that a copy of the database alone does not reveal them (AES-256-GCM). */
export interface Seal {
  /** @returns base64url */
  close(text: string): string;
  /** @throws when the text was encrypted with another key, or changed since */
  open(sealed: string): string;
}

const ivBytes = 12;
const tagBytes = 16;

/**
 * Creates the seal of one data folder, with a key derived from that folder's secret. New keys make earlier texts
 * unreadable.
 */
export function createSeal(secret: string, purpose = "second factor"): Seal {
  const key = Buffer.from(hkdfSync("sha256", secret, "", purpose, 32));
  return {
    close(text) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv("aes-256-gcm", key, iv);
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64url");
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, "base64url");
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
      decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString("utf8");
    },
  };
}
