import { expect, it } from "vitest";
import { countOf } from "./count-of";

it.each([
  ["0 days", 0, "day", undefined],
  ["1 day", 1, "day", undefined],
  ["1,234 days", 1234, "day", undefined],
  ["1 person waits", 1, "person waits", "people wait"],
  ["2 people wait", 2, "person waits", "people wait"],
])("writes “%s”", (words, count, one, many) => {
  expect(countOf(count, one, many)).toBe(words);
});
