import { countCharacters } from "~/lib/characters";

/** Most characters of a text by the last word of its key; keys that are not here have {@link usual}. */
const most: Readonly<Record<string, number>> = {
  title: 60,
  headline: 80,
  lead: 220,
  text: 320,
  label: 44,
  outcome: 160,
  quote: 160,
  paragraphs: 700,
};

const usual = 240;

/** Search engines cut a page's title and description, which stand at the top of a page's words. */
const heads: Readonly<Record<string, [least: number, most: number]>> = { title: [10, 60], description: [40, 160] };

/** @param key of the page's words, such as `offerings.2.text` @returns the fewest and the most characters there */
export function findLengths(key: string): [least: number, most: number] {
  const names = key.split(".").filter((name) => !/^\d+$/.test(name));
  return heads[key] ?? [1, most[names.at(-1) ?? ""] ?? usual];
}

/** Marks that stand for a fact, so that a changed fact changes each sentence. */
export const marks = ["{{firm}}", "{{reply}}"] as const;

/** Tells what is wrong with a text; null if nothing is. */
export function findFault(key: string, text: string): string | null {
  const [least, largest] = findLengths(key);
  const length = countCharacters(text);
  if (length < least || length > largest)
    return `write ${least === 1 ? "at most" : `${least} to`} ${largest} characters; it has ${length}`;
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)) return "write one line, without control characters";
  if (/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(text)) return "leave out marks that change the direction";
  if (text.trim() === "") return "write a text, or leave the key out";
  const unknown = text.match(/\{\{[^}]*\}\}?/g)?.find((mark) => !marks.some((known) => known === mark));
  return unknown === undefined ? null : `write ${marks.join(" or ")} instead of ${unknown}`;
}
