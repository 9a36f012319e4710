import { expect, it } from "vitest";
import { addressMistakes, isEmailAddress, readEmailAddress, suggestAddress } from "./email-address.ts";

it.each([
  "Ada.L+x@Example.COM",
  "first_last@my-firm.co.uk",
  "'thooft@firm.example",
  "ada%2Bx@firm.example",
  "a@xn--e1afmkfd.xn--p1ai",
])("returns %s unchanged", (typed) => {
  expect(readEmailAddress(typed)).toEqual({ address: typed });
  expect(isEmailAddress(typed)).toBe(true);
});

it.each([
  ["ada@example.com.,;", "ada@example.com"],
  ["(ada@example.com)!", "ada@example.com"],
  ["“ada@example.com”", "ada@example.com"],
  ["'ada@example.com'", "ada@example.com"],
  ["MAILTO:ada@example.com?subject=Hi&body=x", "ada@example.com"],
  ["mailto:ada%2Bnews@example.com", "ada+news@example.com"],
  ["Ada <ada@example.com>", "ada@example.com"],
  ['"Lovelace, Ada" <ada@example.com>,', "ada@example.com"],
  ["ada @ example.com", "ada@example.com"],
  ["ada＠example．com", "ada@example.com"],
  ["ada@ex\u00adample.com\u200b", "ada@example.com"],
  ["info@münchen.example", "info@xn--mnchen-3ya.example"],
  ["ivan@пример.рф", "ivan@xn--e1afmkfd.xn--p1ai"],
  ["İBRAHIM@example.com", "IBRAHIM@example.com"],
  ["i\u0307brahim@example.com", "ibrahim@example.com"],
])("cleans up the pasted address %j", (typed, address) => {
  expect(readEmailAddress(typed)).toEqual({ address });
  expect(readEmailAddress(address)).toEqual({ address });
});

it.each([
  ["ada", addressMistakes.format],
  ["ada@", addressMistakes.format],
  ["a b@example.com", addressMistakes.format],
  ["ada@example.c", addressMistakes.format],
  ["ada@-example.com", addressMistakes.format],
  ["ada@exam_ple.com", addressMistakes.format],
  ["ada@example.com/x", addressMistakes.format],
  ["ada@example.com:25", addressMistakes.format],
  ["ada@%65xample.com", addressMistakes.format],
  [`ada@${"a".repeat(64)}.com`, addressMistakes.format],
  [`${"a".repeat(2_000)}@example.com`, addressMistakes.format],
  ["ada@gmail", addressMistakes.noDot],
  [".a@example.com", addressMistakes.dots],
  ["a@.example.com", addressMistakes.dots],
  ["ada@1.2.3.4", addressMistakes.number],
  ["a@b.example\r\nBcc: x@y.example", addressMistakes.several],
  ["Ada <ada@example.com>, bob@example.com", addressMistakes.several],
  ["用户@example.com", addressMistakes.letters("用")],
])("rejects %j with a reason", (typed, fault) => {
  expect(readEmailAddress(typed)).toEqual({ fault });
});

it.each([
  ["Ada@Gmial.com", "Ada@gmail.com"],
  ["ada@gmail.con", "ada@gmail.com"],
  ["ada@gmial.con", "ada@gmail.com"],
])("corrects the typo in %s", (typed, meant) => {
  expect(suggestAddress(typed)).toBe(meant);
});

it.each(["Ada@GMAIL.com", "ada@firm.co", "con@firm.com", "ada@con.com"])("suggests no correction of %s", (typed) => {
  expect(suggestAddress(typed)).toBeNull();
});
