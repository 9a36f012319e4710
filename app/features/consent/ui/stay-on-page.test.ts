import { expect, it } from "vitest";
import { canStayOnPage } from "./stay-on-page.server";

const navigation = {
  "Sec-Fetch-Mode": "navigate",
  "Sec-Fetch-Dest": "document",
  "Accept-Encoding": "gzip, deflate, br, zstd",
};

it.each([
  ["a navigation that accepts zstd", {}, true],
  ["a script's request", { "Sec-Fetch-Mode": "cors" }, false],
  ["a request for data", { "Sec-Fetch-Dest": "empty" }, false],
  ["a frame", { "Sec-Fetch-Dest": "iframe" }, false],
  ["an older browser", { "Accept-Encoding": "gzip, deflate, br" }, false],
])("decides whether %s can stay on its page: %s", (_case, changes, expected) => {
  const headers = new Headers({ ...navigation, ...changes });
  expect(canStayOnPage({ headers } as Request)).toBe(expected);
});
