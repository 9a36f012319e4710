import { expect, it } from "vitest";
import { isSignedBySite, signCall, signatureHeader } from "./site-signature.ts";

const key = "k".repeat(43);
const minute = 60_000;
const noon = Date.UTC(2026, 0, 1, 12);

/** The parts of a call, with this signature if one is given. */
function createCall(changes: { name?: string; body?: string; code?: string; address?: string } = {}, signature = "") {
  const { name = "record-consent", body = "{}", code = "a", address = "192.0.2.1" } = changes;
  const headers = new Headers({ "x-client-code": code, "x-client-address": address, [signatureHeader]: signature });
  return { name, body, headers };
}

it("accepts signatures of this minute and its neighbors alone", () => {
  const accepted = [-1440, -60, -10, -2, -1, 0, 1, 2, 10, 60, 1440].filter((away) => {
    const signature = signCall(key, createCall(), noon + away * minute);
    return isSignedBySite(key, createCall({}, signature), noon);
  });
  expect(accepted).toEqual([-1, 0, 1]);
});

it.each([
  ["name", { name: "send-contact-email" }],
  ["body", { body: "[]" }],
  ["client code", { code: "b" }],
  ["client address", { address: "192.0.2.2" }],
])("refuses a signature with another %s", (_part, changes) => {
  expect(isSignedBySite(key, createCall(changes, signCall(key, createCall(), noon)), noon)).toBe(false);
});

it("refuses a signature with another key, and values that are none", () => {
  const good = signCall(key, createCall(), noon);
  for (const signature of ["", "undefined", `${good}A`, good.slice(1), signCall("other", createCall(), noon)])
    expect(isSignedBySite(key, createCall({}, signature), noon), signature).toBe(false);
});
