import { expect, it } from "vitest";
import { normalizeLine } from "~/lib/plain-text";
import { eachBackend } from "../support/backends.ts";

/** Characters that a reader cannot see by itself. */
const invisible = Array.from({ length: 0x110000 }, (_, point) => point)
  .filter((point) => /[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u.test(String.fromCodePoint(point)))
  .filter((point) => point > 0 && !/\p{Cs}|\p{Co}|\p{Cn}/u.test(String.fromCodePoint(point)))
  .map((point) => String.fromCodePoint(point));

/** The same, with the two characters beside each. */
const around = invisible
  .flatMap((character) => [-1, 0, 1].map((step) => character.codePointAt(0)! + step))
  .filter((point) => point > 0)
  .map((point) => String.fromCodePoint(point));

/** Characters that break a line, turn its direction or vanish within it. */
const breaking = invisible.filter((character) => /[\p{Cc}\u2028\u2029]|[^\P{Cf}\u200c\u200d]/u.test(character));

/** Joiners that are not part of a spelling. */
const misplaced = ["Ada\u200dLovelace", "\u200cAda", "Ada \u200cLovelace", "می\u200c\u200cخواهم"];

/** Names whose spelling needs a joiner, a filler or a variation selector. */
const spelled = [
  "می\u200cخواهم",
  "ക്\u200dഷ",
  "അവന്\u200d",
  "Family 👩🏽\u200d⚕️ Office",
  "🏳️\u200d🌈",
  "한\u3164글",
  "©\u200dx",
];

/** Generates texts of invisible and of any other characters, the same in each run. */
function generateTexts(count: number): string[] {
  const known = [...around, ...new Set([...misplaced, ...spelled].join("")), "\ud800", "\u0301", "\u00b5", "™"];
  let seed = 1;
  const below = (limit: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * limit);
  };
  const newCharacter = () =>
    [known[below(known.length)]!, "a\u200dم\u200c👩"[below(5)]!, String.fromCodePoint(below(0x110000))][below(3)]!;
  return Array.from({ length: count }, () => Array.from({ length: 1 + below(6) }, newCharacter).join(""));
}

eachBackend("private.is_line", (backend) => {
  async function findRefused(texts: string[]): Promise<string[]> {
    const rows = await backend.sql<{ place: number }>(
      `select place::int from jsonb_array_elements_text($1::jsonb) with ordinality as typed (line, place)
       where private.is_line(line, 100) is not true order by place`,
      [JSON.stringify(texts)],
    );
    return rows.map(({ place }) => texts[place - 1]!);
  }

  it.each([
    ["without a character that a reader can see", ["", ...invisible, ...invisible.map((character) => ` ${character}`)]],
    ["that break the line or misrepresent themselves", breaking.map((character) => `م${character}م`)],
    ["with a joiner that joins nothing", misplaced],
    ["longer than the limit", ["a".repeat(101)]],
  ])("refuses texts %s", async (_, texts) => {
    expect(await findRefused(texts)).toEqual(texts);
  });

  it("accepts what normalizeLine returns", async () => {
    const ordinary = ["Zoë O’Brien-Müller", "李明", "a".repeat(100)];
    const ends = invisible.map((character) => `م${character}`);
    const lines = new Set([...ordinary, ...spelled, ...around, ...ends, ...generateTexts(5_000)].map(normalizeLine));
    lines.delete("");
    expect(lines.size).toBeGreaterThan(4_000);
    expect(await findRefused([...lines])).toEqual([]);
  });
});
