import { expect, it } from "vitest";
import { publicPaths } from "~/content/site-pages";
import { contactAddressFrom, findContactOrigin } from "~/lib/pages/contact-origin";

it("names each public page in links to the contact form, and parses them back", () => {
  for (const path of publicPaths) {
    const { pathname, search } = new URL(contactAddressFrom(path), "https://firm.example");
    expect(pathname).toBe("/contact");
    expect(findContactOrigin(search, publicPaths), path).toBe(path === "/contact" ? null : path);
  }
});

it.each(["/data-rights/status", "/admin/people", "/no such page", "/a?b", "//evil.example"])(
  "names no page on %s",
  (path) => {
    expect(contactAddressFrom(path)).toBe("/contact");
  },
);

it.each([
  ["", null],
  ["?from=", null],
  ["?from=nowhere", null],
  ["?from=/startups", null],
  ["?utm_source=x&from=startups", "/startups"],
  ["?from=startups&from=scale", "/startups"],
  ["?about=investors", "/investors"],
  [`?${"a".repeat(5_000)}&from=startups`, null],
])("finds with the query “%s” the page %s", (search, page) => {
  expect(findContactOrigin(search, publicPaths)).toBe(page);
});
