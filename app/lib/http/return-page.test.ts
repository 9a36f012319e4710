import { expect, it } from "vitest";
import { resolveReturnPage } from "./return-page";

const origin = "https://firm.example";

it.each([
  // These lead to another site or nowhere. The platform's URL parser decides; one of each kind that reaches another line.
  ["//evil.example", "/"],
  ["/\\evil.example", "/"],
  ["/.//evil.example", "/"],
  ["/about/..//evil.example", "/"],
  ["https://evil.example/about", "/"],
  ["http://firm.example/about", "/"],
  ["https://firm.example@evil.example/", "/"],
  ["blob:https://firm.example/0", "/"],
  ["http://[", "/"],
  [`/${"x".repeat(2_000)}`, "/"],
  ["", "/"],
  ["about", "/about"],
  ["/startups?utm_source=mail&x=1#more", "/startups?utm_source=mail&x=1#more"],
  ["https://FIRM.example:443/about?x=1#more", "/about?x=1#more"],
  // Without slashes, the page's own scheme is a relative reference; a backslash ends the host.
  ["https:evil.example", "/evil.example"],
  ["https://firm.example\\@evil.example/", "/@evil.example/"],
  // The query is written anew only to drop a parameter.
  ["/about?next=//evil.example&x", "/about?next=//evil.example&x"],
  ["/?x=1&cookie-preferences=open#cookie-preferences", "/?x=1#cookie-preferences"],
  ["/?notice=a&notice=b", "/"],
  ["/%2f%2fevil.example", "/%2f%2fevil.example"],
])("resolves %j to %s on this site", (page, expected) => {
  expect(resolveReturnPage(page, origin, ["cookie-preferences", "notice"])).toBe(expected);
  expect(new URL(expected, `${origin}/consent`).origin).toBe(origin);
});
