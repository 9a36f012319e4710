import { readFileSync, readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { type CookieFact, clearedCookies, cookies, sessionStorageEntries } from "~/content/cookie-registry";
import { parseSettings } from "~/server/config/settings.server";
import { createSiteContext } from "~/server/site-context.server";
import { isInUse, lifetimeInWords, listCookies } from "~/features/legal/cookie-table.server";

const site = createSiteContext(parseSettings({}));
const registry: [string, CookieFact][] = Object.entries(cookies);

it("shows every registered cookie once, with its purpose and its lifetime", () => {
  const rows = listCookies(site).flatMap(({ cookies: listed }) => listed);
  const expected = registry.map(([, { name, purpose, lifetime, setBy }]) => ({
    name,
    purpose,
    lifetime: lifetimeInWords(lifetime, setBy),
  }));
  expect(rows.toSorted(byName)).toEqual(expected.toSorted(byName));
});

it.each([
  ["session", "site", "Until you close the browser"],
  [60, "site", "1 minute"],
  [86_400, "site", "24 hours"],
  [86_400, "analytics", "24 hours at most"],
  [2_592_000, "site", "30 days"],
  [31_536_000, "site", "1 year"],
  [15_768_000, "site", "6 months"],
  [63_072_000, "site", "2 years"],
] as const)("formats a lifetime of %s that %s sets as “%s”", (lifetime, setBy, words) => {
  expect(lifetimeInWords(lifetime, setBy)).toBe(words);
});

it("marks exactly the cookies that the code can set as in use", () => {
  const code = readdirSync("app", { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readFileSync(`app/${file}`, "utf8"))
    .join("\n");
  const setters = /\bcookies\.(?:name|serialize)\("(\w+)"/g;
  const settable = new Set([...code.matchAll(setters)].map(([, key]) => key));
  const inUse = registry.filter(([, { setBy }]) => isInUse(site.settings, setBy)).map(([key]) => key);
  expect(settable).toEqual(new Set(inUse));
});

it("categorizes every cookie that is cleared without consent as not necessary", () => {
  const { analytics, analyticsPrefixes, marketing } = clearedCookies;
  const cleared: readonly string[] = [...analytics, ...analyticsPrefixes.map((prefix) => `${prefix}*`), ...marketing];
  for (const [, { name, category }] of registry) expect(cleared.includes(name), name).toBe(category !== "necessary");
});

it("lists the framework's session storage entries", () => {
  const framework = ["scroll-restoration", "fog-of-war"]
    .map((file) => readFileSync(`node_modules/@remix-run/react/dist/esm/${file}.js`, "utf8"))
    .join("\n");
  const keys = [...framework.matchAll(/\w*STORAGE_KEY = "([^"]+)"/g)].map(([, key]) => key);
  expect(new Set(keys)).toEqual(new Set(Object.values(sessionStorageEntries)));
});

function byName(a: { name: string }, b: { name: string }): number {
  return a.name.localeCompare(b.name);
}
