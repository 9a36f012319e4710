import { expect, it } from "vitest";
import { digestOfToken, newSecretToken } from "./secret-token.ts";

it("makes secret tokens of 32 random bytes in base64url", () => {
  const tokens = Array.from({ length: 1000 }, newSecretToken);
  for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(new Set(tokens).size).toBe(1000);
  expect(new Set(tokens.join("")).size).toBe(64);
});

it("digests a token as the database does", async () => {
  expect(await digestOfToken("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});
