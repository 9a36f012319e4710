import { expect, it } from "vitest";
import { type ConsentDecision, asksNotToBeTracked, formatDecision, parseDecision } from "~/lib/consent";

const recordId = "Ab3_-".repeat(8);
const textHash = "0a".repeat(32);
const decision: ConsentDecision = {
  version: "1.0",
  analytics: true,
  marketing: false,
  source: "banner",
  decidedAt: "2026-11-21T09:30:00.123Z",
  textHash,
  underGpc: false,
  recordId,
  isUnsaved: false,
};
const serialized = `v=1.0&a=1&m=0&by=banner&at=2026-11-21T09:30:00.123Z&text=${textHash}&id=${recordId}`;

it("formats a decision as readable text, in characters that a cookie allows unencoded (RFC 6265, section 4.1.1)", () => {
  expect(formatDecision(decision)).toBe(serialized);
  expect(formatDecision({ ...decision, isUnsaved: true, underGpc: true })).toMatch(
    /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+$/,
  );
});

it.each([
  { marketing: true },
  { source: "dialog" },
  { source: "signal", analytics: false },
  { source: "signal", analytics: false, recordId: null },
  { decidedAt: new Date().toISOString() },
  { recordId: "x".repeat(128) },
  { isUnsaved: true, underGpc: true },
] as Partial<ConsentDecision>[])("keeps a decision through formatting and parsing: %j", (difference) => {
  const changed = { ...decision, ...difference };
  expect(parseDecision(formatDecision(changed))).toEqual(changed);
});

it.each([
  ["a version without a minor number", serialized.replace("1.0", "1")],
  ["a version that is too long", serialized.replace("1.0", "12345.0")],
  ["a choice other than 0 or 1", serialized.replace("a=1", "a=2")],
  ["an unknown source", serialized.replace("banner", "admin")],
  ["an invalid date", serialized.replace("11-21T", "13-41T")],
  ["a time without milliseconds", serialized.replace(".123Z", "Z")],
  ["an id of 31 characters", serialized.replace(recordId, "x".repeat(31))],
  ["an id of 129 characters", serialized.replace(recordId, "x".repeat(129))],
  ["an id followed by other characters", serialized.replace(recordId, `${recordId}'--`)],
  ["a hash in upper case", serialized.replace(textHash, "A".repeat(64))],
  ["a choice without an id", serialized.replace(`&id=${recordId}`, "")],
  ["a signal that allows", serialized.replace("banner", "signal")],
  ["an empty unsaved mark", `${serialized}&unsaved=`],
  ["a trailing field", `${serialized}&more=1`],
])("parses no decision from a value that this site did not write: %s", (_name, value) => {
  expect(value).not.toBe(serialized);
  expect(parseDecision(value)).toBeNull();
});

it.each([
  [{ DNT: "1" }, true],
  [{ "Sec-GPC": "1" }, true],
  [{ DNT: "1", "Sec-GPC": "0" }, true],
  [{}, false],
  [{ DNT: "0" }, false],
  // The specification defines only the value 1 (Global Privacy Control, section 3.3).
  [{ "Sec-GPC": "11" }, false],
] as [Record<string, string>, boolean][])("detects a browser's signal in %j: %s", (headers, expected) => {
  expect(asksNotToBeTracked(new Headers(headers))).toBe(expected);
});
