import { expect, it } from "vitest";
import { formatErasureList } from "./erasure-list.ts";
import { findVerifyingKey, isSignedBy, makeSigningKey, signContent, verifyingKeyOf } from "./signature.ts";

const { signingKey, verifyingKey } = makeSigningKey();
const content = { format: 1, words: "Grüße" };

it("verifies only the signed content, kind and key", () => {
  const signature = signContent("manifest", content, signingKey);
  expect(isSignedBy("manifest", { ...content, signature }, verifyingKey)).toBe(true);
  expect(isSignedBy("erasures", { ...content, signature }, verifyingKey)).toBe(false);
  expect(isSignedBy("manifest", { ...content, words: "Gruss", signature }, verifyingKey)).toBe(false);
  expect(isSignedBy("manifest", { ...content, signature }, makeSigningKey().verifyingKey)).toBe(false);
  const changed = `${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`;
  for (const other of [undefined, "", "AAAA", changed, signature.slice(0, 40)])
    expect(isSignedBy("manifest", { ...content, signature: other }, verifyingKey)).toBe(false);
});

it("makes one-line keys that fit into settings and an age identity file", () => {
  expect(signingKey).toMatch(/^backup-sign-[\w-]{43}$/);
  expect(verifyingKeyOf(signingKey)).toBe(verifyingKey);
  expect(findVerifyingKey(`# ${verifyingKey}`)).toBe(verifyingKey);
  expect(findVerifyingKey(`${verifyingKey}x`)).toBeNull();
});

it("replaces the signature of an erasure list that already has one", () => {
  const list = { format: 1, completeUntil: "2026-11-26T00:00:00.000Z", erasures: [] } as const;
  const written = JSON.parse(formatErasureList({ ...list, erasures: [], signature: "old" }, signingKey));
  expect(isSignedBy("erasures", written, verifyingKey)).toBe(true);
  expect(isSignedBy("erasures", { ...written, completeUntil: "2099-01-01T00:00:00.000Z" }, verifyingKey)).toBe(false);
  expect(JSON.parse(formatErasureList({ ...list, erasures: [] }, undefined))).toEqual(list);
});
