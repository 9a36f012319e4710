import { describe, expect, it } from "vitest";
import { resolveReturnPage } from "./return-page";

const origin = "https://firm.example";
const find = (page: string) => resolveReturnPage(page, origin, ["cookie-preferences", "notice"]);

/** Addresses that lead a browser away from this site, or that it may read so. */
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
  it.each(foreign.map((page) => [JSON.stringify(page), page]))("%s becomes the home page", (_name, page) => {
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
    // Without slashes behind it, the scheme of the page itself says nothing; and a backslash ends the host.
    ["https:evil.example", "/evil.example"],
    ["https:/evil.example", "/evil.example"],
    ["https://firm.example\\@evil.example/", "/@evil.example/"],
  ])("%s is kept as %s", (page, expected) => {
    expect(find(page)).toBe(expected);
    expectOwn(expected);
  });

  it.each([
    ["/about?cookie-preferences=open#cookie-preferences", "/about#cookie-preferences"],
    ["/?x=1&cookie-preferences=open", "/?x=1"],
    ["/?cookie-preferences=open&cookie-preferences=again", "/"],
  ])("%s loses the parameter that opened the preferences", (page, expected) => {
    expect(find(page)).toBe(expected);
  });

  it.each([
    "/%2f%2fevil.example",
    "/%5cevil.example",
    "/about?next=//evil.example&x",
    "/#//evil.example",
    "/@evil.example",
  ])("%s names no other, so it stays what it is", (page) => {
    expect(find(page)).toBe(page);
    expectOwn(find(page));
  });
});

/** What every browser, reading it as a `Location` of any page, takes for this site. */
function expectOwn(page: string): void {
  expect(page).toMatch(/^\/(?![/\\])/);
  expect(new URL(page, `${origin}/consent`).origin).toBe(origin);
}
