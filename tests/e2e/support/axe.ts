import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Page, expect } from "playwright/test";
import type axe from "axe-core";

/** Widths at which pages are examined, in pixels; `npm run verify` examines them on a desk, too. */
const widths = process.env["TESTS"] === "usual" ? [360] : [360, 1280];

/** The minified build, half the size of the package's other one: every page has to parse it. */
const program = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * Runs axe with its rules for WCAG 2.2 AA and its best practices. Does not use axe's own package for Playwright, which
 * sends the page half a megabyte of script for each run and returns all passed checks.
 * @param rules runs only these; by default all, and `target-size`, which axe disables by default
 * @returns each broken rule with the elements that break it
 */
export async function findViolations(page: Page, rules?: string[]): Promise<[rule: string, elements: string[]][]> {
  if (!(await page.evaluate(() => "axe" in window))) await injectAxe(page);
  const { passed, violations } = await page.evaluate(async (only) => {
    const results = await (window as unknown as { axe: typeof axe }).axe.run({
      resultTypes: ["violations"],
      ...(only ? { runOnly: only } : { rules: { "target-size": { enabled: true } } }),
    });
    return {
      passed: results.passes.length,
      violations: results.violations.map(({ id, nodes }): [string, string[]] => [id, nodes.map(({ html }) => html)]),
    };
  }, rules);
  expect(passed + violations.length, "axe found something to look at").toBeGreaterThan(0);
  return violations;
}

/**
 * Expects a page that axe finds nothing wrong with in light and dark, and that scrolls sideways at no width. Runs axe at
 * each width, because an element may be hidden at one and shown at the other, as a menu is.
 */
export async function expectAccessible(page: Page): Promise<void> {
  for (const width of [...widths, 320]) {
    await page.setViewportSize({ width, height: 800 });
    const place = `${page.url()} at ${width} px`;
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect.soft(excess, place).toBeLessThanOrEqual(0);
    if (width !== 320) expect.soft(await findViolationsInBothSchemes(page), place).toEqual([]);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

/** Runs {@link findViolations} in light and dark. Of all rules, only the two about contrast depend on the colors. */
async function findViolationsInBothSchemes(page: Page): ReturnType<typeof findViolations> {
  await page.emulateMedia({ colorScheme: "light" });
  const inLight = await findViolations(page);
  await page.emulateMedia({ colorScheme: "dark" });
  const inDark = await findViolations(page, ["color-contrast", "link-in-text-block"]);
  return [...inLight, ...inDark.map(([rule, elements]): [string, string[]] => [`${rule} in dark`, elements])];
}

/**
 * Injects axe over the DevTools protocol, so that the browser compiles it once for all pages. `page.evaluate` compiles
 * it each time.
 */
async function injectAxe(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: `${program};(${cacheColors.toString()})()` });
  await session.detach();
}

/** Caches parsed colors: a page has a dozen, axe parses each a thousand times, and that was a third of its work. */
function cacheColors(): void {
  interface Color {
    r: number;
    g: number;
    b: number;
    alpha: number;
    parseString(text: string): Color;
  }
  const { commons } = Reflect.get(window, "axe") as { commons: { color: { Color: { prototype: Color } } } };
  const { prototype } = commons.color.Color;
  const { parseString } = prototype;
  const known = new Map<string, Pick<Color, "r" | "g" | "b" | "alpha">>();
  prototype.parseString = function (text) {
    const color = known.get(text);
    if (color) return Object.assign(this, color);
    const { r, g, b, alpha } = parseString.call(this, text);
    known.set(text, { r, g, b, alpha });
    return this;
  };
}
