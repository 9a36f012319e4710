import { describe, expect, it } from "vitest";
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
const written = `v=1.0&a=1&m=0&by=banner&at=2026-11-21T09:30:00.123Z&text=${textHash}&id=${recordId}`;

describe("a decision in a cookie", () => {
  it("reads as what it says", () => {
    expect(formatDecision(decision)).toBe(written);
  });

  it.each([
    { analytics: false },
    { marketing: true },
    { source: "dialog" },
    { source: "signal", analytics: false },
    { source: "signal", analytics: false, recordId: null },
    { underGpc: true },
    { version: "12.345" },
    { decidedAt: new Date().toISOString() },
    { recordId: "x".repeat(128) },
    { isUnsaved: true },
    { isUnsaved: true, underGpc: true },
  ] as Partial<ConsentDecision>[])("comes back as it was written: %j", (difference) => {
    const changed = { ...decision, ...difference };
    expect(parseDecision(formatDecision(changed))).toEqual(changed);
  });

  it("holds only characters that a cookie may hold as they are (RFC 6265, section 4.1.1)", () => {
    expect(formatDecision({ ...decision, isUnsaved: true, underGpc: true })).toMatch(
      /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+$/,
    );
  });
});

describe("what this site did not write", () => {
  it.each([
    ["nothing", ""],
    ["another site's cookie", "true"],
    ["JSON", '{"analytics":true,"marketing":true,"functional":true}'],
    ["no version", written.replace("v=1.0&", "")],
    ["half a version", written.replace("1.0", "1")],
    ["an endless version", written.replace("1.0", "12345.0")],
    ["words for a version", written.replace("1.0", "one.two")],
    ["a choice that is neither", written.replace("a=1", "a=2")],
    ["no choice", written.replace("a=1", "a=")],
    ["another order", written.replace("a=1&m=0", "m=0&a=1")],
    ["an unknown source", written.replace("banner", "admin")],
    ["a time of no calendar", written.replace("11-21T", "13-41T")],
    ["a time of no clock", written.replace("T09:30", "T29:61")],
    ["a time without milliseconds", written.replace(".123Z", "Z")],
    ["a local time", written.replace("Z", "+01:00")],
    ["an id of 31 characters", written.replace(recordId, "x".repeat(31))],
    ["an id of 129 characters", written.replace(recordId, "x".repeat(129))],
    ["an id with more than an id", written.replace(recordId, `${recordId}'--`)],
    ["half a fingerprint", written.replace(textHash, "0".repeat(63))],
    ["a fingerprint in capitals", written.replace(textHash, "A".repeat(64))],
    ["no fingerprint", written.replace(`&text=${textHash}`, "")],
    ["a choice without a number", written.replace(`&id=${recordId}`, "")],
    ["a signal that allows", written.replace("banner", "signal")],
    ["an empty mark", `${written}&unsaved=`],
    ["something behind it", `${written}&more=1`],
    ["something before it", ` ${written}`],
    ["a second line", `${written}\nv=1.0`],
    ["a line's end", `${written}\n`],
    ["the whole thing encoded", encodeURIComponent(written)],
    ["the whole thing twice", written + written],
    ["very much", "x".repeat(8_000)],
  ])("is no decision: %s", (_name, value) => {
    expect(value).not.toBe(written);
    expect(parseDecision(value)).toBeNull();
  });
});

describe("a browser's signal", () => {
  it.each([
    [{ DNT: "1" }, true],
    [{ "Sec-GPC": "1" }, true],
    [{ DNT: "0", "Sec-GPC": "1" }, true],
    [{ DNT: "1", "Sec-GPC": "0" }, true],
    [{}, false],
    [{ DNT: "0" }, false],
    [{ DNT: "null" }, false],
    [{ DNT: "unspecified" }, false],
    [{ "Sec-GPC": "0" }, false],
    // The only value that the specification knows is 1 (Global Privacy Control, section 3.3).
    [{ "Sec-GPC": "true" }, false],
    [{ "Sec-GPC": "11" }, false],
  ] as [Record<string, string>, boolean][])("%j: %s", (headers, expected) => {
    expect(asksNotToBeTracked(new Headers(headers))).toBe(expected);
  });
});
