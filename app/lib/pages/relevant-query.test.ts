import { expect, it } from "vitest";
import { relevantQuery } from "./relevant-query";

it.each([
  ["/contact", "?about=investors", "?about=investors"],
  ["/contact", "?utm_source=x&about=investors", "?about=investors"],
  ["/contact", "?%61bout=investors", "?about=investors"],
  ["/contact", "?about=Investors", ""],
  ["/contact", "?about=", ""],
  ["/contact", "?utm_source=x", ""],
  ["/contact", "", ""],
  ["/investors", "?about=investors", ""],
])("reduces the query of %s%s to “%s”", (path, query, expected) => {
  expect(relevantQuery(path, query)).toBe(expected);
});
