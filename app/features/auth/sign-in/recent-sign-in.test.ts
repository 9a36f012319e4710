import { expect, it } from "vitest";
import { parseNext } from "./recent-sign-in.server";

it.each([
  ["/admin/people?page=2", "/admin/people?page=2"],
  [null, "/admin"],
  ["//evil.example", "/admin"],
  ["/\\evil.example", "/admin"],
  ["/\t/evil.example", "/admin"],
  ["/admin\\..\\..\\login", "/admin"],
  ["/admin/../login", "/admin"],
  ["/about", "/admin"],
])("leads from %j back to %s in the admin area", (next, page) => {
  expect(parseNext(next)).toBe(page);
});
