import { expect, it } from "vitest";
import { findFirstName, greetingName } from "./greeting-name";

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
