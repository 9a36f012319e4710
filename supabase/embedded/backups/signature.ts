import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from "node:crypto";

/** The halves of a signing key (Ed25519, RFC 8032): the server has the first, the operator keeps the second. */
interface SigningKey {
  /** `backup-sign-…` */
  signingKey: string;
  /** `backup-verify-…` */
  verifyingKey: string;
}

/** Part of the signed bytes, so that a signature of one kind is invalid for another. */
type SignedKind = "manifest" | "erasures";

const prefixes = { signing: "backup-sign-", verifying: "backup-verify-" };
/** Prefix of a 32-byte private key in PKCS #8 (RFC 8410, section 7). */
const privateKeyHead = Buffer.from("302e020100300506032b657004220420", "hex");

/** Generates a key. */
export function makeSigningKey(): SigningKey {
  const { privateKey } = generateKeyPairSync("ed25519");
  const signingKey = `${prefixes.signing}${privateKey.export({ format: "jwk" }).d ?? ""}`;
  return { signingKey, verifyingKey: verifyingKeyOf(signingKey) };
}

/** Derives the verifying half. @param signingKey in the format of `BACKUP_SIGNING_KEY` */
export function verifyingKeyOf(signingKey: string): string {
  return `${prefixes.verifying}${createPublicKey(readSigningKey(signingKey)).export({ format: "jwk" }).x ?? ""}`;
}

/** Finds the verifying half in a line of a key file. Returns null when the line has none. */
export function findVerifyingKey(line: string): string | null {
  return /(?:^|\s)(backup-verify-[\w-]{43})(?:\s|$)/.exec(line)?.[1] ?? null;
}

/** Signs the JSON text of some content. @returns base64url */
export function signContent(kind: SignedKind, content: object, signingKey: string): string {
  return sign(null, bytesOf(kind, content), readSigningKey(signingKey)).toString("base64url");
}

/** Returns true if the holder of the other half signed this content. The order of its keys must be the same. */
export function isSignedBy(
  kind: SignedKind,
  { signature, ...content }: { signature?: string | undefined; [field: string]: unknown },
  verifyingKey: string,
): boolean {
  if (signature === undefined) return false;
  const x = verifyingKey.slice(prefixes.verifying.length);
  const key = createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x } });
  return verify(null, bytesOf(kind, content), key, Buffer.from(signature, "base64url"));
}

function readSigningKey(signingKey: string) {
  const seed = Buffer.from(signingKey.slice(prefixes.signing.length), "base64url");
  return createPrivateKey({ key: Buffer.concat([privateKeyHead, seed]), format: "der", type: "pkcs8" });
}

function bytesOf(kind: SignedKind, content: object): Buffer {
  return Buffer.from(`advisory-website ${kind}\n${JSON.stringify(content)}`);
}
