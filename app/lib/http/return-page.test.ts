import { describe, expect, it } from "vitest";
import { resolveReturnPage } from "./return-page";

const origin = "https://firm.example";
const find = (page: string) => resolveReturnPage(page, origin, ["cookie-preferences", "notice"]);

/** Addresses that browsers resolve, or may resolve, to another site. */
const foreign = [
  "//evil.example",
  "///evil.example/about",
  "/\\evil.example",
  "\\\\evil.example",
  "\\/evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "\t//evil.example",
  " //evil.example",
  "/\r\n/evil.example",
  "/.//evil.example",
  "/about/..//evil.example",
  "/%2e//evil.example",
  "/./\\evil.example",
  "https://evil.example/about",
  "HTTPS://evil.example",
  "http://firm.example/about",
  "https://firm.example.evil.example/",
  "https://firm.example:8443/",
  "https://firm.example@evil.example/",
  "//firm.example@evil.example",
  "javascript:alert(1)",
  "java\tscript:alert(1)",
  "data:text/html,hello",
  "blob:https://firm.example/0",
  "mailto:somebody@evil.example",
  "https://",
  "//",
  "http://[",
];

describe("an address that leads away from this site", () => {
  it.each(foreign.map((page) => [JSON.stringify(page), page]))("is replaced with the home page: %s", (_name, page) => {
    expect(find(page)).toBe("/");
  });
});

describe("an address of this site", () => {
  it.each([
    ["/", "/"],
    ["", "/"],
    ["/about", "/about"],
    ["about", "/about"],
    ["/#services", "/#services"],
    ["/startups?utm_source=mail&x=1#more", "/startups?utm_source=mail&x=1#more"],
    ["?x=1", "/?x=1"],
    ["https://firm.example/about?x=1#more", "/about?x=1#more"],
    ["https://FIRM.example:443/about", "/about"],
    ["/a/../about", "/about"],
    // Without slashes, the page's own scheme is a relative reference; a backslash ends the host.
    ["https:evil.example", "/evil.example"],
    ["https:/evil.example", "/evil.example"],
    ["https://firm.example\\@evil.example/", "/@evil.example/"],
  ])("resolves %s to %s", (page, expected) => {
    expect(find(page)).toBe(expected);
    expectOwn(expected);
  });

  it.each([
    ["/about?cookie-preferences=open#cookie-preferences", "/about#cookie-preferences"],
    ["/?x=1&cookie-preferences=open", "/?x=1"],
    ["/?cookie-preferences=open&cookie-preferences=again", "/"],
  ])("drops the preferences parameter from %s", (page, expected) => {
    expect(find(page)).toBe(expected);
  });

  it.each([
    "/%2f%2fevil.example",
    "/%5cevil.example",
    "/about?next=//evil.example&x",
    "/#//evil.example",
    "/@evil.example",
  ])("keeps %s, which only looks like another host", (page) => {
    expect(find(page)).toBe(page);
    expectOwn(find(page));
  });
});

/** Expects a path that every browser resolves to this site as a `Location` header. */
function expectOwn(page: string): void {
  expect(page).toMatch(/^\/(?![/\\])/);
  expect(new URL(page, `${origin}/consent`).origin).toBe(origin);
}
