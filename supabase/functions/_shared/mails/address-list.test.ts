import { expect, it } from "vitest";
import { formatMailbox, parseAddressList, parseSender } from "./address-list";

const one = (name: string, address: string) => ({ name, address });

it.each([
  ["Firm <a@firm.example>, b@firm.example", [one("Firm", "a@firm.example"), one("", "b@firm.example")]],
  // Outlook's format: semicolons as separators, and commas in names without quotation marks.
  [
    "Doe, John <john@firm.example>; Roe, Jane <jane@firm.example>;",
    [one("Doe, John", "john@firm.example"), one("Roe, Jane", "jane@firm.example")],
  ],
  ["'a@firm.example' <a@firm.example>", [one("a@firm.example", "a@firm.example")]],
  ["a@firm.example\r\n  b@firm.example\n", [one("", "a@firm.example"), one("", "b@firm.example")]],
  ['"Desk; West, \\"2\\"" <d@firm.example>', [one('Desk; West, "2"', "d@firm.example")]],
  ["a@firm.example (Ann), <b@firm.example>", [one("Ann", "a@firm.example"), one("", "b@firm.example")]],
  ["a@firm.example, A@Firm.example", [one("", "a@firm.example")]],
  [" ,; ", []],
])("parses %j", (text, expected) => {
  expect(parseAddressList(text)).toEqual(expected);
});

it.each([
  ["office, desk@firm.example", [null, one("", "desk@firm.example")]],
  ["a@firm.example b@firm.example", [null]],
  ['"never closed <a@firm.example>, b@firm.example', [null]],
  ["A <a@firm.example> <b@firm.example>", [null]],
])("returns null for the invalid entries of %j", (text, expected) => {
  expect(parseAddressList(text)).toEqual(expected);
});

it("accepts one sender, whose name may contain a comma, but not two", () => {
  expect(parseSender("Firm, Inc. <hello@firm.example>")).toEqual(one("Firm, Inc.", "hello@firm.example"));
  expect(parseSender("a@firm.example, Firm <b@firm.example>")).toBeNull();
  expect(parseSender("firm")).toBeNull();
  expect(parseSender("")).toBeNull();
});

it("formats an address that parses to the same mailbox", () => {
  for (const mailbox of [one("", "a@firm.example"), one('The "Firm", Inc.\\', "a@firm.example")])
    expect(parseAddressList(formatMailbox(mailbox))).toEqual([mailbox]);
});
