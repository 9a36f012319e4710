import { describe, expect, it } from "vitest";
import { formatMailbox, parseAddressList, parseSender } from "./address-list";

const one = (name: string, address: string) => ({ name, address });

describe("parseAddressList", () => {
  it.each([
    ["Firm <a@firm.example>, b@firm.example", [one("Firm", "a@firm.example"), one("", "b@firm.example")]],
    // As Outlook copies them: semicolons between, and commas in names without quotation marks.
    [
      "Doe, John <john@firm.example>; Roe, Jane <jane@firm.example>;",
      [one("Doe, John", "john@firm.example"), one("Roe, Jane", "jane@firm.example")],
    ],
    ["'a@firm.example' <a@firm.example>", [one("a@firm.example", "a@firm.example")]],
    ["a@firm.example\r\n  b@firm.example\n", [one("", "a@firm.example"), one("", "b@firm.example")]],
    ['"Desk; West, \\"2\\"" <d@firm.example>', [one('Desk; West, "2"', "d@firm.example")]],
    ["O'Brien, Pat <pat@firm.example>", [one("O'Brien, Pat", "pat@firm.example")]],
    ["a@firm.example (Ann), <b@firm.example>", [one("Ann", "a@firm.example"), one("", "b@firm.example")]],
    ["a@firm.example, A@Firm.example", [one("", "a@firm.example")]],
    [" ,; ", []],
  ])("reads %j", (text, expected) => {
    expect(parseAddressList(text)).toEqual(expected);
  });

  it.each([
    ["office, desk@firm.example", [null, one("", "desk@firm.example")]],
    ["a@firm.example b@firm.example", [null]],
    ['"never closed <a@firm.example>, b@firm.example', [null]],
    ["A <a@firm.example> <b@firm.example>", [null]],
    ["a@@firm.example", [null]],
  ])("finds in %j what is no address", (text, expected) => {
    expect(parseAddressList(text)).toEqual(expected);
  });
});

it("takes one sender, whose name may hold a comma, and no two", () => {
  expect(parseSender("Firm, Inc. <hello@firm.example>")).toEqual(one("Firm, Inc.", "hello@firm.example"));
  expect(parseSender("a@firm.example, Firm <b@firm.example>")).toBeNull();
  expect(parseSender("firm")).toBeNull();
  expect(parseSender("")).toBeNull();
});

it("writes an address so that it is read as the same", () => {
  for (const mailbox of [one("", "a@firm.example"), one('The "Firm", Inc.\\', "a@firm.example")])
    expect(parseAddressList(formatMailbox(mailbox))).toEqual([mailbox]);
});
