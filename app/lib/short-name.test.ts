import { expect, it } from "vitest";
import { shortName } from "./short-name";

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
