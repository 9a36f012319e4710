import { expect, it } from "vitest";
import { normalizeLine } from "~/lib/plain-text";
import { eachBackend } from "../support/backends.ts";

/** Texts that a reader cannot see, or that show something else than they say. */
const deceptive = [
  "",
  " ",
  "\u00a0\u3000",
  "\u200b",
  "\u2800\u2800",
  "\u3164",
  "\u115f\u1160\uffa0",
  "\u034f\ufe0f",
  "\u{e0100}",
  "\u200d",
  "Ada\u202eecalevoL",
  "\u2066Ada\u2069",
  "Ada\u200e",
  "\u061cAda",
  "A\u00adda",
  "A\u200bda",
  "\ufeffAda",
  "Ada\u{e0041}",
  "Ada\u200dLovelace",
  "\u200cAda",
  "Ada \u200cLovelace",
  "می\u200c\u200cخواهم",
  "Ada\nLovelace",
  "Ada\u2028Lovelace",
  "Ada\u0085Lovelace",
  "Ada\u007f",
];

/** Names whose spelling needs a joiner, a filler or a variation selector. */
const spelled = [
  "می\u200cخواهم",
  "ക്\u200dഷ",
  "അവന്\u200d",
  "Family 👩🏽\u200d⚕️ Office",
  "🏳️\u200d🌈",
  "한\u3164글",
  "©\u200dx",
  "Zoë O’Brien-Müller",
  "李明",
];

/** Every character that a reader cannot see by itself, with the two beside it. */
const invisible = Array.from({ length: 0x110000 }, (_, point) => point)
  .filter((point) => /[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u.test(String.fromCodePoint(point)))
  .filter((point) => !/\p{Cs}|\p{Co}|\p{Cn}/u.test(String.fromCodePoint(point)))
  .flatMap((point) => [point - 1, point, point + 1])
  .filter((point) => point > 0)
  .map((point) => String.fromCodePoint(point));

/** Generates texts of invisible and of any other characters, the same in each run. */
function generateTexts(count: number): string[] {
  const known = [...invisible, ...new Set([...deceptive, ...spelled].join("")), "\ud800", "\u0301", "\u00b5", "™"];
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

  it("refuses texts that a reader cannot see or that misrepresent themselves", async () => {
    const format = invisible.filter((character) => /[^\P{Cf}\u200c\u200d]/u.test(character));
    const texts = [...deceptive, ...format.map((character) => `م${character}م`), "a".repeat(101)];
    expect(await findRefused(texts)).toEqual(texts);
  });

  it("accepts what normalizeLine returns", async () => {
    const typed = [...spelled, ...invisible, ...invisible.map((character) => `م${character}`), ...generateTexts(5_000)];
    const lines = new Set(typed.map(normalizeLine).filter((line) => line !== ""));
    expect(lines.size).toBeGreaterThan(4_000);
    expect(await findRefused([...lines])).toEqual([]);
  });
});
