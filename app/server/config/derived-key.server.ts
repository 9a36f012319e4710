import { hkdfSync } from "node:crypto";
import { getSessionSecret } from "./session-secret.server";

/** What keys are made for; each purpose has its own, so that none can stand in for another or for a cookie's signature. */
export type KeyPurpose = "rate-limits";

const keys = new Map<KeyPurpose, Buffer>();

/**
 * A key of 32 bytes that all processes with the same session secret share (HKDF, RFC 5869).
 * @throws as getSessionSecret
 */
export function deriveKey(purpose: KeyPurpose): Buffer {
  const known = keys.get(purpose);
  if (known) return known;
  const key = Buffer.from(hkdfSync("sha256", getSessionSecret(), "", `advisory-website ${purpose}`, 32));
  keys.set(purpose, key);
  return key;
}
