import { randomBytes } from "node:crypto";

/** What may stand for a text, so that every rule about its length and form is met or broken by one of them. */
const shapes: ((name: string) => string)[] = [
  (name) => name,
  (name) => `${name}@example.com`,
  (name) => name.repeat(400),
  (name) => `${name}@${"example.".repeat(1_000)}com`,
];

/**
 * Finds a text for every field that the same rules find the same fault with, and that stands nowhere in a page.
 * @param typed field and text
 * @param judge what a form with these texts is told about each field
 * @returns null where a field has a fault that no shape has
 */
export function findStandIns(
  typed: ReadonlyMap<string, string>,
  judge: (typed: ReadonlyMap<string, string>) => string,
): ReadonlyMap<string, string> | null {
  const judgement = judge(typed);
  const found = new Map(typed);
  for (const field of typed.keys()) {
    // Letters only: it must look the same however it is escaped, and in a regular expression.
    const name = randomBytes(16)
      .toString("hex")
      .replaceAll(/\d/g, (digit) => "ghijklmnop".charAt(Number(digit)));
    const fitting = shapes
      .map((shape) => shape(name))
      .find((text) => judge(new Map(found).set(field, text)) === judgement);
    if (fitting === undefined) return null;
    found.set(field, fitting);
  }
  return found;
}
