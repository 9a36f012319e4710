import * as fc from "fast-check";
import { anyText } from "./texts";

/** Field names that break careless parsers. */
const trickNamesOf = {
  objects: ["__proto__", "__proto__.admin", "__proto__[admin]", "constructor", "constructor.prototype.admin"],
  properties: ["toString", "hasOwnProperty", "then"],
  formLibrary: ["__intent__", "__state__"],
  brokenPaths: ["", ".", "[", "]", "[]", "a[", "a]b", "a..b", "$", "\0"],
  lists: ["a[0][0][0][0]", "a[4294967295]", "a[99999999]", "a[-1]", "a[1e9]", "a.b".repeat(300), "a[0]".repeat(300)],
};
const trickNames = Object.values(trickNamesOf).flat();

/** Values for the form library's own hidden fields, as an attacker would write them. */
const innerFields = fc.tuple(
  fc.constantFrom("__intent__", "__state__"),
  fc.oneof(
    anyText,
    fc
      .record({
        type: fc.oneof(fc.constantFrom("validate", "update", "reset", "insert", "remove", "reorder"), anyText),
        payload: fc.oneof(
          fc.constant(undefined),
          fc.record({
            name: fc.oneof(fc.constantFrom("name", "email", ...trickNames), anyText),
            value: fc.jsonValue({ maxDepth: 3 }),
            index: fc.oneof(fc.integer(), fc.constantFrom(4294967295, 1e9, -1)),
            from: fc.integer(),
            to: fc.integer(),
            validated: fc.jsonValue({ maxDepth: 1 }),
          }),
          fc.jsonValue({ maxDepth: 3 }),
        ),
      })
      .map((intent) => JSON.stringify(intent)),
  ),
);

/**
 * Generates bad forms: fields that are right, wrong, missing, repeated or foreign; encoded as a form, as multipart, or
 * as bytes that claim to be one of the two.
 * @param good fields of a completed form, so that each attempt passes some of the checks
 */
export function badForms(good: Record<string, string>) {
  const names = Object.keys(good);
  const kept = fc.subarray(Object.entries(good));
  const named = fc.tuple(fc.constantFrom(...names, ...trickNames), anyText);
  const foreign = fc.tuple(anyText, anyText);
  const additions = fc.array(fc.oneof({ weight: 6, arbitrary: named }, foreign, innerFields), { maxLength: 6 });
  const fields = fc.tuple(kept, additions).map(([some, more]) => [...some, ...more]);
  return fc.oneof(
    { weight: 8, arbitrary: fields.map(encodeFields) },
    { weight: 2, arbitrary: fc.tuple(fields, anyText).map(([pairs, name]) => encodeParts(pairs, name)) },
    { weight: 1, arbitrary: fc.tuple(formTypes, fc.uint8Array({ maxLength: 300 })).map(claim) },
    { weight: 1, arbitrary: anyText.map((text) => ({ type: urlEncoded, body: Buffer.from(text) })) },
  );
}

const urlEncoded = "application/x-www-form-urlencoded";
const formTypes = fc.constantFrom(
  urlEncoded,
  `${urlEncoded}; charset=utf-7`,
  "multipart/form-data",
  "multipart/form-data; boundary=",
  "multipart/form-data; boundary=x",
  "application/json",
  "text/plain",
  "",
);

function encodeFields(fields: string[][]) {
  return { type: urlEncoded, body: Buffer.from(new URLSearchParams(fields as [string, string][]).toString()) };
}

/** Encodes parts like a careless or hostile client, without escaping names or values. */
function encodeParts(fields: string[][], fileName: string) {
  const parts = fields.map(
    ([name = "", value = ""], index) =>
      `--x\r\nContent-Disposition: form-data; name="${name}"${index === 1 ? `; filename="${fileName}"` : ""}\r\n\r\n${value}\r\n`,
  );
  return { type: "multipart/form-data; boundary=x", body: Buffer.from(`${parts.join("")}--x--\r\n`) };
}

function claim([type, bytes]: [string, Uint8Array]) {
  return { type, body: Buffer.from(bytes) };
}
