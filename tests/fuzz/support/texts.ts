import * as fc from "fast-check";

/** Texts that have broken other programs, by the readers between the form and an admin's programs. */
const tricksOf = {
  invisible: ["", " ", "\0", "a\0b", "\u2028\u2029", "\u202egnp.exe", "\ud800", "\udfff\ud800", "\ufeff"],
  mails: ["\r\nBcc: victim@evil.example", "a@b.example\r\nBcc: victim@evil.example", "x\nSubject: other\n\nbody"],
  spreadsheets: ["=HYPERLINK(1)", "+1", "-1+1", "@SUM(1)", "\t=1"],
  objects: [
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    '{"__proto__":{"admin":true}}',
    "[object Object]",
  ],
  values: ["null", "undefined", "NaN", "-0", "1e999", "9".repeat(400), "true", "on"],
  elements: ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "</textarea></title><svg onload=alert(1)>"],
  templates: ["javascript:alert(1)", "{{7*7}}${7*7}<%= 7*7 %>"],
  queries: ["' or 1=1 --", "'; drop table contact_submissions; --", "%' escape '\\", "\\"],
  addresses: ["%", "%00", "%ff%fe", "//evil.example/", "/\\evil.example", "https://evil.example/"],
  files: ["../../../../etc/passwd", "..\\..\\windows\\win.ini"],
  letters: ["\u0130\u0131\u017f\u212a", "a\u0300".repeat(60), "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}"],
  long: ["ﷺ".repeat(120), "a".repeat(5001), "(a+)+$".repeat(40), `${"a.".repeat(120)}@${"b.".repeat(120)}`],
  cursors: ["next.2026-01-01T00:00:00Z.00000000-0000-0000-0000-000000000000", "next..", "prev.infinity.x"],
  ids: ["00000000-0000-0000-0000-000000000000", "new"],
  intents: ["accept", "delete"],
};
const knownTricks = Object.values(tricksOf).flat();

/** Any text: known tricks, combinations of them, and random bytes and letters. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...knownTricks) },
  { weight: 2, arbitrary: fc.array(fc.constantFrom(...knownTricks), { minLength: 2, maxLength: 4 }).map(join) },
  { weight: 3, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 2, arbitrary: fc.string({ unit: "grapheme", maxLength: 40 }) },
  { weight: 1, arbitrary: fc.uuid() },
  { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
);

/** Reduces a text to what a header can carry: Latin-1 without control characters (RFC 9110, section 5.5). */
export function asHeaderText(text: string): string {
  return Buffer.from(text.toWellFormed(), "utf8")
    .toString("latin1")
    .replace(/[^\t\x20-\x7e\x80-\xff]/g, "")
    .trim();
}

function join(parts: string[]): string {
  return parts.join("");
}
