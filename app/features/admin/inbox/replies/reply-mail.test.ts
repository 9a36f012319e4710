import { expect, it } from "vitest";
import { company } from "~/content/company";
import { replyMail } from "./reply-mail.server";
import { beginReply, insertAboveSignature, isUnwritten } from "./signature";

const created_at = "2026-11-21T01:30:00Z";
const write = (message: string) => replyMail({ message, created_at }, "America/New_York");
const quote = (message: string) => write(message).quotation.split("\n");

it("quotes every line of a message, for any line ending, under the day it arrived", () => {
  expect(write("First\r\nsecond\rthird\u2028fourth\n\n> fifth").quotation).toBe(
    "On November 20, 2026, you wrote through our website:\n> First\n> second\n> third\n> fourth\n>\n> > fifth",
  );
});

it("quotes up to the form's limit, marks the cut, and splits no character", () => {
  expect(quote("x".repeat(5_000))).toHaveLength(2);
  expect(quote("🙂".repeat(5_000)).slice(1)).toEqual([`> ${"🙂".repeat(5_000)}`]);
  const cut = quote(`${"x".repeat(4_999)}🙂${"y".repeat(10_000)}`);
  expect(cut.slice(-1)).toEqual(["> […]"]);
  expect(cut.join("").isWellFormed()).toBe(true);
  expect(write("\n".repeat(50_000)).quotation.length).toBeLessThan(30_000);
});

it("uses the acknowledgement's subject without any typed text", () => {
  expect(write("Subject: x\r\nBcc: a@b.example").subject).toBe(`Re: Your message to ${company.name}`);
});

const signature = "Ada Hale\nHale & Co";

it("begins a reply with room above the signature, and with nothing when there is none", () => {
  expect(beginReply(signature)).toBe(`\n\n${signature}`);
  expect(beginReply("")).toBe("");
});

it.each([
  ["", signature, true],
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
])("inserts a text into %j above a signature that ends it", (text, expected) => {
  expect(insertAboveSignature(text, signature, "Thanks.")).toBe(expected);
});
