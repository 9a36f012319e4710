import { expect, it } from "vitest";
import { greetingName } from "./greeting-name";

it.each([
  ["Jane Okafor", "Jane"],
  ["Dr. Jane Okafor", "Dr. Jane Okafor"],
  ["王小明", "王小明"],
])("greets %s as %s", (name, greeting) => {
  expect(greetingName(name)).toBe(greeting);
});
