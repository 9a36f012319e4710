import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Page, expect } from "playwright/test";
import type axe from "axe-core";

/** The same program as the package's other, in half as many letters, which each page has to read. */
const program = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * Looks for what keeps people from using a page: WCAG 2.2 AA, and what axe calls best practice. Not by axe's own package for Playwright,
 * which hands the page a program of half a megabyte for every look and brings back all that is right.
 * @param rules only these; unless given all, with that of the target size, which axe leaves off
 * @returns each rule that is broken, with the elements that break it
 */
export async function findViolations(page: Page, rules?: string[]): Promise<[rule: string, elements: string[]][]> {
  if (!(await page.evaluate(() => "axe" in window))) await handOverAxe(page);
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

/** As {@link findViolations}, in light and dark: of all rules, only these two of contrast find something else in other colors. */
export async function findViolationsInBothSchemes(page: Page): ReturnType<typeof findViolations> {
  await page.emulateMedia({ colorScheme: "light" });
  const inLight = await findViolations(page);
  await page.emulateMedia({ colorScheme: "dark" });
  const inDark = await findViolations(page, ["color-contrast", "link-in-text-block"]);
  return [...inLight, ...inDark.map(([rule, elements]): [string, string[]] => [`${rule} in dark`, elements])];
}

/** By the browser's own protocol: it compiles what it has compiled for another page once; what Playwright evaluates is new each time. */
async function handOverAxe(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: `${program};(${rememberColors.toString()})()` });
  await session.detach();
}

/** A page has a dozen colors, and axe reads each of them a thousand times, which was a third of all that it does. */
function rememberColors(): void {
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
