import { afterAll, beforeAll, expect, it } from "vitest";
import { parseSettings } from "~/server/config/settings.server";
import { findScripts } from "../../support/page-source";
import { startSite, type TestSite } from "../../support/site";
import { Visitor } from "../../support/visitor";
import { chooseWithAnalytics } from "../support/consent";

// Compares the cookie policy's claims about cookies and scripts with the responses to a browser.

let product: TestSite;
let html: string;
let words: string;
beforeAll(async () => {
  product = await startSite({ GA_MEASUREMENT_ID: "G-TEST123456" });
  ({ html } = await new Visitor(product.url).get("/cookie-policy"));
  words = html.replace(/<[^>]+>/g, "");
});
afterAll(() => product.stop());

/** Returns true if a response removes this cookie from a browser without consent. */
async function isRemoved(name: string): Promise<boolean> {
  const browser = new Visitor(product.url);
  browser.setCookie(name, "1");
  await browser.get("/about");
  return browser.cookie(name) === undefined;
}

it("names exactly the cookies that the site removes without consent", async () => {
  const [, analytics, marketing] =
    /removes it, [^:]*: ([^()]*) \(analytics\), ([^()]*) \(marketing\)\./.exec(words) ?? [];
  const named = `${analytics}, ${marketing}`.split(", ").map((name) => name.replace("*", "TEST123456"));
  const unnamed = ["_gac_1", "_gcl_aw", "_uetsid", "_hjid", "fr"];
  const removed: string[] = [];
  for (const name of [...named, ...unnamed]) if (await isRemoved(name)) removed.push(name);
  expect(removed).toEqual(named);
});

it("says that Google Analytics no longer sets _gid, and rejects a property of its old version", () => {
  const [row = ""] = html.match(/<tr[^>]*>(?:(?!<\/tr>).)*_gid(?:(?!<\/tr>).)*<\/tr>/s) ?? [];
  expect(row).toContain("older versions of Google Analytics. The present one does not set it");
  expect(() => parseSettings({ GA_MEASUREMENT_ID: "UA-12345-1" })).toThrow(/GA_MEASUREMENT_ID/);
});

it("names every script that runs outside forms", async () => {
  const visitor = new Visitor(product.url);
  const countScripts = async (path: string) => findScripts((await visitor.get(path)).html).length;
  expect(await countScripts("/about")).toBe(0);
  const exceptions: string[] = [];
  if (await countScripts("/no-such-page")) exceptions.push("a few lines where there is no such page");
  await chooseWithAnalytics(visitor, "save", { analytics: "on" });
  if (await countScripts("/about")) exceptions.push("analytics where you have allowed it");
  expect(exceptions).toHaveLength(2);
  expect(words).toContain(`They run no script, but for ${exceptions.join(", and ")}.`);
});
