import { beforeEach, expect, it } from "vitest";
import { cookieTableWords } from "~/content/privacy/legal-words";
import { isEverything } from "../../support/everything";
import { findScripts, publicPaths } from "../../support/page-source";
import { type Answer, type Visitor, readText } from "../../support/visitor";
import { choose } from "../support/consent";
import { useSharedSite, useSite } from "../support/world";

const property = "G-TEST123456";
const tagAddress = `https://www.googletagmanager.com/gtag/js?id=${property}`;
const legalPaths = ["/data-rights", "/privacy-policy", "/terms-of-service", "/cookie-policy", "/accessibility"];
const measuredPaths = publicPaths.filter((path) => !legalPaths.includes(path));
const unmeasured = [...legalPaths, "/login", "/no-such-page", "/consent", "/data-rights/status"];
/** One page without scripts, one with scripts and one legal page; in `npm run verify` all. */
const somePaths = isEverything ? publicPaths : ["/", "/contact", "/cookie-policy"];

const measured = useSite({ GA_MEASUREMENT_ID: property });
const unset = useSharedSite();
let visitor: Visitor;
beforeEach(() => {
  visitor = measured.visitor();
});

it("loads Google's tag on content pages by a script that the policy names, after consent", async () => {
  await choose(visitor, "save", { analytics: "on" }, true);
  for (const path of measuredPaths) {
    const answer = await visitor.get(path);
    const policy = answer.headers.get("content-security-policy");
    expect(policy, path).toMatch(/script-src [^;]*https:\/\/www\.googletagmanager\.com/);
    const loaded = findScripts(answer.html).filter(({ attributes }) => attributes.src === tagAddress);
    expect(loaded, path).toHaveLength(1);
  }
});

it("leaves no trace of Google on legal, data rights, admin and missing pages", async () => {
  await choose(visitor, "accept", {}, true);
  for (const path of unmeasured) expect(findTraces(await visitor.get(path)), path).toEqual([]);
  await visitor.signIn();
  expect(findTraces(await visitor.get("/admin")), "/admin").toEqual([]);
});

it("leaves no trace of Google before a decision, nor with Global Privacy Control after consent", async () => {
  for (const path of publicPaths) expect(findTraces(await visitor.get(path)), path).toEqual([]);
  await choose(visitor, "accept", {}, true);
  for (const path of somePaths) expect(findTraces(await visitor.get(path, { "Sec-GPC": "1" })), path).toEqual([]);
});

it.each([
  ["in use", measured, cookieTableWords.inUse],
  ["not in use", unset, cookieTableWords.notInUse],
])("says in the cookie policy that analytics cookies are %s", async (_case, site, words) => {
  const { html } = await site.get("/cookie-policy");
  expect(readText(html)).toMatch(new RegExp(`${cookieTableWords.groups.analytics}\\W+${words}`));
});

/**
 * Finds traces of Google in a page or its policy. It ignores the page's text, because the cookie policy names Google,
 * and the policy's hashes: their scripts are searched themselves, and a hash may contain any letters, such as "gtag".
 */
function findTraces({ html, headers }: Answer): string[] {
  const sources = findScripts(html).map(({ attributes }) => attributes.src ?? "");
  const inline = [...html.matchAll(/<script\b[^>]*>([^<]*)/g)].map(([, script = ""]) => script);
  const policy = headers.get("content-security-policy") ?? "no policy at all: google";
  const named = policy.replace(/'sha256-[^']*'/g, "");
  return [...sources, ...inline, named].filter((text) => /google|gtag|dataLayer|G-TEST/i.test(text));
}
