import { expect, it } from "vitest";
import { beginReply, insertAboveSignature, isUnwritten } from "./signature";

const signature = "Ada Hale\nHale & Co";

it("begins a reply with room above the signature, and with nothing when there is none", () => {
  expect(beginReply(signature)).toBe(`\n\n${signature}`);
  expect(beginReply("")).toBe("");
});

it.each([
  ["", signature, true],
  [" \r\n", "", true],
  [`\r\n\r\n${signature.replace("\n", "\r\n")}\r\n`, signature, true],
  [`Hello\n\n${signature}`, signature, false],
  ["Hello", "", false],
])("decides if %j has words above the signature %j", (text, own, expected) => {
  expect(isUnwritten(text, own)).toBe(expected);
});

it.each([
  ["", "Thanks."],
  ["Hello \n", "Hello\n\nThanks."],
  [`\n\n${signature}`, `Thanks.\n\n${signature}`],
  [`Hello\r\n\r\n${signature.replace("\n", "\r\n")}\r\n`, `Hello\n\nThanks.\n\n${signature}`],
  [`${signature}\n\nHello`, `${signature}\n\nHello\n\nThanks.`],
  [`Ask ${signature}`, `Ask ${signature}\n\nThanks.`],
])("inserts a text into %j above a signature that ends it", (text, expected) => {
  expect(insertAboveSignature(text, signature, "Thanks.")).toBe(expected);
});
