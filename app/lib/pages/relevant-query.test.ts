import { expect, it } from "vitest";
import { relevantQuery } from "./relevant-query";

it.each([
  ["/contact", "?about=investors", "?about=investors"],
  ["/contact", "?utm_source=x&about=investors", "?about=investors"],
  ["/contact", "?from=startups", "?from=startups"],
  ["/contact", "?%66rom=growth-stage", "?from=growth-stage"],
  ["/contact", "?from=small-business&about=investors", "?about=investors"],
  ["/contact", "?from=small-business&about=anything", "?from=small-business"],
  ["/contact", "?from=build", ""],
  ["/contact", "", ""],
  ["/investors", "?about=investors", ""],
])("reduces the query of %s%s to “%s”", (path, query, expected) => {
  expect(relevantQuery(path, query)).toBe(expected);
});
