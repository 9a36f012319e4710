import type { Page } from "playwright/test";
import { findViolations } from "./support/axe";
import { expect, test } from "./support/product";

test.describe.configure({ mode: "parallel" });

// That text is at 7:1 on every page where more contrast is asked for is found where all pages are looked at anyway: site.spec.ts.
test("text is at 7:1 on a form with mistakes where more contrast is asked for, light and dark", async ({ page }) => {
  await page.emulateMedia({ contrast: "more", reducedMotion: "reduce" });
  await page.goto("/contact");
  await page.locator("form#contact").evaluate((form: HTMLFormElement) => form.submit());
  await expect(page.getByText("There is a problem")).toBeVisible();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findViolations(page, ["color-contrast-enhanced"]), colorScheme).toEqual([]);
  }
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

/** The computed styles of a field that has the focus. */
function readField(page: Page) {
  return page.locator("#contact-email").evaluate((field: HTMLInputElement) => {
    field.focus();
    const { borderTopColor, color, outlineWidth } = getComputedStyle(field);
    const hint = getComputedStyle(document.querySelector("#contact-email-hint") ?? field).color;
    return { edge: borderTopColor, text: color, focus: outlineWidth, hint };
  });
}
