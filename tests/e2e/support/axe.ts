import { type Page, expect } from "@playwright/test";
import axe from "axe-core";

/**
 * Looks for what keeps people from using a page: WCAG 2.2 AA, and what axe calls best practice. Not by axe's own package for Playwright,
 * which hands the page a program of half a megabyte for every look and brings back all that is right.
 * @param rules only these; unless given all, with that of the target size, which axe leaves off
 * @returns each rule that is broken, with the elements that break it
 */
export async function findViolations(page: Page, rules?: string[]): Promise<[rule: string, elements: string[]][]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
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

/** As {@link findViolations}, in light and dark: of all rules, only that of contrast finds something else in other colors. */
export async function findViolationsInBothSchemes(page: Page): ReturnType<typeof findViolations> {
  await page.emulateMedia({ colorScheme: "light" });
  const inLight = await findViolations(page);
  await page.emulateMedia({ colorScheme: "dark" });
  const inDark = await findViolations(page, ["color-contrast"]);
  return [...inLight, ...inDark.map(([rule, elements]): [string, string[]] => [`${rule} in dark`, elements])];
}
