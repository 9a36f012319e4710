import { expect, it } from "vitest";
import { parseSettings } from "~/server/config/settings.server";
import { createSiteContext } from "~/server/site-context.server";
import { clearForbiddenCookies, listForbidden } from "./clear-cookies.server";

const none = { analytics: false, marketing: false };
const analytics = ["_ga", "_gid", "_gat", "__utma", "__utmz"];
const prefixed = ["_ga_ABC123", "_gat_UA-1-1"];
const marketing = ["_gcl_au", "_fbp", "_fbq"];
const toCookie = (...names: string[]) => ({ headers: new Headers({ Cookie: names.map((n) => `${n}=1`).join("; ") }) });

it.each([
  ["no cookies", [], none, []],
  ["analytics and advertising", [...analytics, ...marketing], none, [...analytics, ...marketing]],
  ["allowed analytics", [...analytics, ...prefixed, ...marketing], { ...none, analytics: true }, marketing],
  [
    "allowed advertising",
    [...prefixed, ...marketing, ...analytics],
    { ...none, marketing: true },
    [...analytics, ...prefixed],
  ],
  ["both allowed", [...analytics, ...marketing], { analytics: true, marketing: true }, []],
  ["a name twice", ["_ga", "theme", "_ga"], none, ["_ga"]],
  [
    "more than eight, those with a fixed name first",
    [...prefixed, ...analytics, ...marketing],
    none,
    [...analytics, ...marketing],
  ],
  [
    "more than eight prefixed ones",
    Array.from({ length: 12 }, (_, n) => `_ga_${n}`),
    none,
    Array.from({ length: 8 }, (_, n) => `_ga_${n}`),
  ],
  ["similar names", ["_gax", "ga", "_fbpx", "x_ga", "flash2", "__utmx"], none, []],
  ["names that a header cannot hold", ["_ga_ü", "_ga_<b>", `_ga_${"x".repeat(91)}`], none, []],
  ["the longest name", [`_ga_${"x".repeat(90)}`], none, [`_ga_${"x".repeat(90)}`]],
])("lists the cookies to remove of a browser with %s", (_case, names, allowed, expected) => {
  expect(listForbidden(toCookie(...names), allowed)).toEqual(expected);
});

const at = (siteUrl: string) => createSiteContext(parseSettings(siteUrl === "" ? {} : { SITE_URL: siteUrl }));

it.each([
  ["localhost, which has no domain", "", "localhost:3000", "/", [""], ["/"]],
  ["the folder of a page", "", "localhost:3000", "/about?x=1", [""], ["/", "/about"]],
  ["a folder that a header cannot hold", "", "localhost:3000", "/%C3%BC/a", [""], ["/"]],
  ["an IPv4 address", "", "203.0.113.7:80", "/", [""], ["/"]],
  ["an IPv6 address", "", "[2001:db8::1]:80", "/", [""], ["/"]],
  ["the requested host", "", "firm.example", "/", ["", "firm.example"], ["/"]],
  ["SITE_URL's host", "https://www.firm.example", "evil.example", "/", ["", "www.firm.example", "firm.example"], ["/"]],
  [
    "three parents at most",
    "https://a.b.c.d.example",
    "x",
    "/",
    ["", "b.c.d.example", "c.d.example", "d.example"],
    ["/"],
  ],
])("removes a cookie for each domain and folder it may have: %s", (_case, siteUrl, host, address, domains, paths) => {
  const removals = clearForbiddenCookies(at(siteUrl), { ...toCookie("_ga"), host, address }, none);
  expect(removals).toEqual(
    domains.flatMap((domain) =>
      paths.map((path) => `_ga=; Max-Age=0; Path=${path}${domain === "" ? "" : `; Domain=${domain}`}`),
    ),
  );
});
