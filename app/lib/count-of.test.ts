import { expect, it } from "vitest";
import { countOf } from "./count-of";

it.each([
  [0, "0 days"],
  [1, "1 day"],
  [1234, "1,234 days"],
])("writes %i in words", (count, words) => {
  expect(countOf(count, "day")).toBe(words);
});

it("writes an irregular plural", () => {
  expect([1, 2].map((count) => countOf(count, "person waits", "people wait"))).toEqual([
    "1 person waits",
    "2 people wait",
  ]);
});
