import { expect, it } from "vitest";
import { buildPreferencesAddresses, opensPreferences } from "./preferences-address";
import { canStayOnPage } from "./stay-on-page.server";

it.each([
  ["/contact", "?cookie-preferences=open", "?"],
  ["/admin", "?filter=spam", "?filter=spam&"],
  ["/data-rights/status", "?token=t", "?token=t&"],
  ["/network", "?token=t", "?token=t&"],
  ["/administrator", "?a=1", "?"],
])("keeps only the part of the query that the page reads: %s%s", (pathname, search, kept) => {
  expect(buildPreferencesAddresses({ pathname, search })).toEqual({
    page: pathname + kept.slice(0, -1),
    address: `${pathname}${kept}cookie-preferences=open#cookie-preferences`,
  });
});

it("uses the home page's addresses on a missing page", () => {
  const { page, address } = buildPreferencesAddresses({ pathname: "/wp-login.php", search: "?a=1" }, true);
  expect([page, address]).toEqual(["/", "/?cookie-preferences=open#cookie-preferences"]);
});

it.each([
  ["?cookie-preferences=open", true],
  ["?a=1&cookie%2Dpreferences=%6Fpen", true],
  ["?cookie-preferences=closed&cookie-preferences=open", false],
  ["?cookie-preferences=OPEN", false],
])("decides whether %s opens the preferences: %s", (query, opens) => {
  expect(opensPreferences(query)).toBe(opens);
});

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
