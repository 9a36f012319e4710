import { describe, expect, it } from "vitest";
import { publicPaths } from "~/content/site-pages";
import { contactAddressFrom, findContactOrigin } from "~/lib/pages/contact-origin";

describe("links to the contact form", () => {
  it("name each public page, and are parsed back", () => {
    for (const path of publicPaths) {
      const { pathname, search } = new URL(contactAddressFrom(path), "https://firm.example");
      expect(pathname).toBe("/contact");
      expect(findContactOrigin(search, publicPaths), path).toBe(path === "/contact" ? null : path);
    }
  });

  it.each(["/data-rights/status", "/admin/people", "/no such page", "/a?b", "//evil.example"])(
    "name no page on %s",
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
  ])("with the query “%s” come from %s", (search, page) => {
    expect(findContactOrigin(search, publicPaths)).toBe(page);
  });
});
