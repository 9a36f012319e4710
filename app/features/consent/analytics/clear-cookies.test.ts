import { expect, it } from "vitest";
import { parseSettings } from "~/server/config/settings.server";
import { createSiteContext } from "~/server/site-context.server";
import { clearForbiddenCookies, listForbidden } from "./clear-cookies.server";

const none = { analytics: false, marketing: false };
const analytics = ["_ga", "_gid", "_gat", "__utma", "__utmz"];
const prefixed = ["_ga_ABC123", "_gat_UA-1-1"];
const marketing = ["_gcl_au", "_fbp", "_fbq"];
const all = [...analytics, ...marketing];
const numbered = (count: number) => Array.from({ length: count }, (_, n) => `_ga_${n}`);
const toCookie = (...names: string[]) => ({ headers: new Headers({ Cookie: names.map((n) => `${n}=1`).join("; ") }) });

it.each([
  ["no cookies", [], none, []],
  ["analytics and advertising", all, none, all],
  ["allowed analytics", [...prefixed, ...all], { ...none, analytics: true }, marketing],
  ["allowed advertising", [...prefixed, ...all], { ...none, marketing: true }, [...analytics, ...prefixed]],
  ["a name twice", ["_ga", "theme", "_ga"], none, ["_ga"]],
  ["more than eight, those with a fixed name first", [...prefixed, ...all], none, all],
  ["more than eight prefixed ones", numbered(12), none, numbered(8)],
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
  ["three parents at most", "https://a.b.c.d.org", "x", "/", ["", "b.c.d.org", "c.d.org", "d.org"], ["/"]],
])("removes a cookie for each domain and folder it may have: %s", (_case, siteUrl, host, address, domains, paths) => {
  const removals = clearForbiddenCookies(at(siteUrl), { ...toCookie("_ga"), host, address }, none);
  expect(removals).toEqual(
    domains.flatMap((domain) =>
      paths.map((path) => `_ga=; Max-Age=0; Path=${path}${domain === "" ? "" : `; Domain=${domain}`}`),
    ),
  );
});
