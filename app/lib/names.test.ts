import { expect, it } from "vitest";
import { findFirstName, greetingName } from "./greeting-name";
import { findInitials } from "./initials";
import { shortName } from "./short-name";

it.each([
  ["Jane Okafor", "Jane", "Jane"],
  ["Zoë O’Hara-Smith", "Zoë", "Zoë"],
  ["Dr. Jane Okafor", "Dr. Jane Okafor", null],
  ["王小明", "王小明", "王小明"],
  ["evil.example", "evil.example", null],
  ["Win 1000 dollars at evil.example today", "Win", null],
])("greets %s as %s, and a stranger of that name as %s", (name, greeting, first) => {
  expect([greetingName(name), findFirstName(name)]).toEqual([greeting, first]);
});

it.each([
  ["Adaeze Okonjo", "AO"],
  ["Dr. Jane van der Berg, MD", "JB"],
  ["J. P. Morgan", "JM"],
  ["Zoë", "Z"],
  ["élodie Ørsted", "ÉØ"],
  ["Prof. Hale", "H"],
  ["Jane (Jo) O’Neill", "JO"],
  ["李 小龙", "李小"],
])("finds the initials of %s", (name, initials) => {
  expect(findInitials(name)).toBe(initials);
});

it.each([
  ["Ada Lovelace", "Ada Lovelace"],
  ["  Ada\r\n\tLovelace\u2028", "Ada Lovelace"],
  ["\u202eecalevoL\u202c adA\u200e\u2067", "ecalevoL adA"],
  ["Ada\u200b\ufeff\u00ad", "Ada"],
  ["می\u200cخواهم", "می\u200cخواهم"],
  ["\ud83dAda", "\ufffdAda"],
])("removes line breaks and invisible characters: %j", (typed, name) => {
  expect(shortName(typed)).toBe(name);
});

it("cuts long names after a whole character", () => {
  expect(shortName("x".repeat(60))).toBe("x".repeat(60));
  expect(shortName("x".repeat(61))).toBe(`${"x".repeat(59)}…`);
  const family = "👨‍👩‍👧";
  expect(shortName(family.repeat(61))).toBe(`${family.repeat(59)}…`);
  expect(shortName("é".normalize("NFD").repeat(80))).toBe(`${"é".normalize("NFD").repeat(59)}…`);
});
