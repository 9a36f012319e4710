import type { Page } from "@playwright/test";
import { publicPaths } from "../support/page-source";
import { findViolations } from "./support/axe";
import { expect, test } from "./support/product";

test.describe.configure({ mode: "parallel" });

test("text is at 7:1 on every page where more contrast is asked for, light and dark", async ({ page }) => {
  await page.emulateMedia({ contrast: "more", reducedMotion: "reduce" });
  for (const path of publicPaths) {
    await page.goto(path);
    expect(await findPaleText(page), path).toEqual({});
  }
  await page.goto("/contact");
  await page.locator("form#contact").evaluate((form: HTMLFormElement) => form.submit());
  await expect(page.getByText("There is a problem")).toBeVisible();
  expect(await findPaleText(page), "/contact with mistakes").toEqual({});
});

test("edges become as dark as text, and the focus is outlined twice as thick, where more contrast is asked for", async ({
  page,
}) => {
  await page.goto("/contact");
  const usual = await readField(page);
  expect(usual.focus).toBe("2px");
  expect(usual.edge).not.toBe(usual.text);
  await page.emulateMedia({ contrast: "more" });
  const strong = await readField(page);
  expect(strong).toMatchObject({ focus: "4px", edge: strong.text, hint: strong.text });
  expect(usual.hint).not.toBe(usual.text);
});

test("whatever a keyboard reaches has an outline", async ({ page }) => {
  for (const path of ["/", "/contact"]) {
    await page.goto(path);
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press("Tab");
      const bare = await page.evaluate(() => {
        const active = document.activeElement;
        if (!active || active === document.body) return null;
        const { outlineStyle, outlineWidth } = getComputedStyle(active);
        return outlineStyle === "none" || Number.parseFloat(outlineWidth) < 2 ? active.outerHTML.slice(0, 80) : null;
      });
      expect(bare, path).toBeNull();
    }
  }
});

/** Text under 7:1 (WCAG 2.2, 1.4.6), or 4.5:1 where it is large. */
async function findPaleText(page: Page): Promise<Record<string, string[]>> {
  const pale: Record<string, string[]> = {};
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const found = (await findViolations(page, ["color-contrast-enhanced"])).flatMap(([, elements]) => elements);
    if (found.length > 0) pale[colorScheme] = found;
  }
  return pale;
}

/** The computed styles of a field that has the focus. */
function readField(page: Page) {
  return page.locator("#contact-email").evaluate((field: HTMLInputElement) => {
    field.focus();
    const { borderTopColor, color, outlineWidth } = getComputedStyle(field);
    const hint = getComputedStyle(document.querySelector("#contact-email-hint") ?? field).color;
    return { edge: borderTopColor, text: color, focus: outlineWidth, hint };
  });
}
