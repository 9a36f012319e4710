import type { Page } from "playwright/test";
import { findViolations } from "./support/axe";
import { expect, test } from "./support/product";

test.describe.configure({ mode: "parallel" });

// site.spec.ts checks text at 7:1 under prefers-contrast: more on every public page, because it opens all pages anyway.
test("a form with errors has text at 7:1 under prefers-contrast: more, light and dark", async ({ page }) => {
  await page.emulateMedia({ contrast: "more", reducedMotion: "reduce" });
  await page.goto("/contact");
  await page.locator("form#contact").evaluate((form: HTMLFormElement) => form.submit());
  await expect(page.getByText("There is a problem")).toBeVisible();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findViolations(page, ["color-contrast-enhanced"]), colorScheme).toEqual([]);
  }
});

test("edges are as dark as text and focus outlines twice as thick under prefers-contrast: more", async ({ page }) => {
  await page.goto("/contact");
  const usual = await readField(page);
  expect(usual.focus).toBe("2px");
  expect(usual.edge).not.toBe(usual.text);
  await page.emulateMedia({ contrast: "more" });
  const strong = await readField(page);
  expect(strong).toMatchObject({ focus: "4px", edge: strong.text, hint: strong.text });
  expect(usual.hint).not.toBe(usual.text);
});

test("every element that the keyboard reaches has an outline", async ({ page }) => {
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

/** Returns computed styles of a focused field. */
function readField(page: Page) {
  return page.locator("#contact-email").evaluate((field: HTMLInputElement) => {
    field.focus();
    const { borderTopColor, color, outlineWidth } = getComputedStyle(field);
    const hint = getComputedStyle(document.querySelector("#contact-company-hint") ?? field).color;
    return { edge: borderTopColor, text: color, focus: outlineWidth, hint };
  });
}
