import { expect, it } from "vitest";
import { countCharacters, firstCharacters, isOversized } from "./characters";
import { normalizeLine, normalizeText, stripDirectionMarks } from "./plain-text";

const invisible = [
  "\u200b\ufeff\u{e0041}\u202e\u2066",
  "\u200c\u200d",
  "\u3164\u115f\u1160\u034f",
  "\u2800",
  "\u00a0\u2003\u3000",
  "\u0000\u0007\u001b",
];

it.each(invisible)("empties a text that has only invisible characters: %j", (characters) => {
  expect([normalizeLine(characters), normalizeText(characters)]).toEqual(["", ""]);
  expect(normalizeText(`${characters}\r\n ${characters} \n`)).toBe("");
  expect(normalizeText(`a${characters}b`)).toContain("a");
});

it.each(["\n", "\r\n", "\r", "\u2028", "\u2029", "\u0085", "\v", "\f"])("keeps %j as a single line break", (end) => {
  expect(normalizeText(`one${end}two${end}${end}three`)).toBe("one\ntwo\n\nthree");
  expect(normalizeLine(`one${end}two`)).toBe("one two");
});

it("composes letters (NFC)", () => {
  expect(normalizeLine("Ame\u0301lie")).toBe("Am\u00e9lie");
  expect(normalizeText("A\u030angstro\u0308m\r\n\u1112\u1161\u11ab")).toBe("\u00c5ngstr\u00f6m\n\ud55c");
});

it.each(["\u{fa19}\u7530", "\ufa10", "\u{2f804}", "\u2126", "\u212b", "\ufb2a"])(
  "keeps %j, which NFC would replace by another character",
  (name) => expect([normalizeLine(name), normalizeText(name)]).toEqual([name, name]),
);

it.each([
  ["\u200dA\u200cda \u200dL\u200c\u200d", "Ada L"],
  ["\u0639\u0644\u06cc\u200c\u0631\u0636\u0627", "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627"],
  ["\u0d05\u0d28\u0d4d\u200d", "\u0d05\u0d28\u0d4d\u200d"],
  ["\u{1f469}\u200d\u2695\ufe0f Ada", "\u{1f469}\u200d\u2695\ufe0f Ada"],
  // PostgreSQL rejects lone surrogates.
  ["Ada \ud83d", "Ada \ufffd"],
])("keeps what spells a name: %j", (typed, kept) => {
  expect(normalizeLine(typed)).toBe(kept);
});

it("keeps direction marks in multi-line text and removes them from single lines", () => {
  expect(normalizeText("\u202eevil\u202c \u200fx")).toBe("\u202eevil\u202c \u200fx");
  expect(normalizeLine("\u202eevil\u202c \u200fx")).toBe("evil x");
  expect(
    stripDirectionMarks("\u061ca\u200eb\u200fc\u202ad\u202be\u202cf\u202dg\u202eh\u2066i\u2067j\u2068k\u2069"),
  ).toBe("abcdefghijk");
});

it("shortens a run of combining marks to 30", () => {
  const [most, more] = [30, 31].map((count) => `x${"\u0334".repeat(count)}y`);
  expect([normalizeText(most ?? ""), normalizeText(more ?? "")]).toEqual([most, most]);
});

it.each([
  ["decomposed letters up to the limit", "\u1f82".normalize("NFD").repeat(100), false],
  ["four times the limit", "a".repeat(400), false],
  ["four times the limit of CRLF breaks", "\r\n".repeat(400), false],
  ["one letter more", "a".repeat(401), true],
])("measures %s", (_what, text, expected) => {
  expect(isOversized(text, 100)).toBe(expected);
});

it("counts and cuts characters as PostgreSQL does", () => {
  expect(["", "abc", "字字", "🌻🌻", "a\u0301", "\ud83d"].map(countCharacters)).toEqual([0, 3, 2, 2, 2, 1]);
  expect(firstCharacters("🌻🌻🌻", 2)).toBe("🌻🌻");
  expect(firstCharacters("a🌻b", 2)).toBe("a🌻");
  expect(firstCharacters("ab", 5)).toBe("ab");
});
