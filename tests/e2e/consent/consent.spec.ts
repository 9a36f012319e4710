import type { Page } from "playwright/test";
import { answerBanner, banner, openPreferences, preferences, readChoice } from "../support/consent-page";
import { fillContactForm } from "../support/forms";
import { expectNoShift } from "../support/layout-shift";
import { expect, test } from "../support/product";

for (const path of ["/about", "/contact"]) {
  test(`a visitor rejects, reopens, allows and withdraws on ${path}`, async ({ page, context }) => {
    await page.goto(path);
    await answerBanner(page, "Reject All");
    await expect.poll(() => readChoice(context)).toBe("a=0&m=0 by banner");
    await expect(page).toHaveURL(new RegExp(`${path}$`));
    await expectNoBanner(page);

    await openPreferences(page);
    await expect(preferences(page)).toContainText("analytics not allowed, marketing not allowed");
    await expect(preferences(page).getByRole("switch", { name: "Functional" })).toBeDisabled();
    await expect(preferences(page).getByRole("switch", { name: "Functional" })).toBeChecked();
    await preferences(page).getByRole("switch", { name: "Analytics" }).check();
    await preferences(page).getByRole("button", { name: "Save Preferences" }).click();
    await expect.poll(() => readChoice(context)).toBe("a=1&m=0 by dialog");
    await expect(preferences(page)).toBeHidden();
    await expect(page).toHaveURL(new RegExp(`${path}(\\?notice=[^#]*)?(#.*)?$`));

    await openPreferences(page);
    await expect(preferences(page)).toContainText("analytics allowed, marketing not allowed");
    await expect(preferences(page).getByRole("switch", { name: "Analytics" })).toBeChecked();
    // Withdrawing consent takes one press, as giving it did.
    await preferences(page).getByRole("button", { name: "Reject All" }).click();
    await expect.poll(() => readChoice(context)).toBe("a=0&m=0 by dialog");
    await expect(preferences(page)).toBeHidden();
    await expectNoBanner(page);
  });
}

test("a decision in the banner keeps the scroll position", async ({ page, context }) => {
  const readTop = async () => (await page.locator("h1").boundingBox())?.y ?? 0;
  for (const choice of ["Close", "Reject All"]) {
    await context.clearCookies();
    await page.goto("/");
    await page.mouse.wheel(0, 1500);
    await expect.poll(readTop).toBeLessThan(-1000);
    const before = await readTop();
    await answerBanner(page, choice);
    expect(await readTop()).toBe(before);
  }
});

test("Customize opens a modal dialog; Esc returns the focus, and Cancel keeps no unsaved switch", async ({
  page,
  context,
}) => {
  await page.goto("/growth-stage");
  const customize = banner(page).getByRole("button", { name: "Customize" });
  await customize.focus();
  await page.keyboard.press("Enter");
  await expect(preferences(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(preferences(page)).toBeHidden();
  await expect(customize).toBeFocused();
  await customize.click();
  await preferences(page).getByRole("switch", { name: "Analytics" }).check();
  await preferences(page).getByRole("link", { name: "Cancel" }).click();
  await expect(preferences(page)).toBeHidden();
  await customize.click();
  await expect(preferences(page).getByRole("switch", { name: "Analytics" })).not.toBeChecked();
  await page.keyboard.press("Escape");
  await expect(banner(page)).toBeVisible();
  expect(await context.cookies()).toEqual([]);
});

test("a cookie decision keeps the text in another form", async ({ page, context }) => {
  await page.goto("/contact");
  await fillContactForm(page);
  await answerBanner(page, "Accept All");
  await expect.poll(() => readChoice(context)).toBe("a=1&m=1 by banner");
  await expect(page.getByLabel("Company", { exact: true })).toHaveValue("Harbor Clinics");
  await expect(page.getByLabel("Message", { exact: true })).toHaveValue("We run nine clinics.\nCan we talk?");
});

test("the banner covers no focused element at 360 × 740 and 1280 × 800 px", async ({ page }) => {
  for (const [width, height] of [
    [360, 740],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto("/");
    for (let i = 0; i < 40; i++) {
      await page.keyboard.press("Tab");
      const covered = await page.evaluate(() => {
        const active = document.activeElement;
        const question = document.querySelector(".consent-banner");
        if (!active || !question || active === document.body || question.contains(active)) return null;
        const overlap = active.getBoundingClientRect().bottom - question.getBoundingClientRect().top;
        return overlap > 1 ? `${active.outerHTML.slice(0, 80)} by ${overlap}` : null;
      });
      expect(covered, `${width} px`).toBeNull();
    }
  }
});

test.describe("with Global Privacy Control", () => {
  test.use({ extraHTTPHeaders: { "Sec-GPC": "1" } });

  test("pages with the note about the signal do not shift", async ({ page, javaScriptEnabled }) => {
    test.skip(!javaScriptEnabled, "shifts are measured by a script");
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      for (const path of ["/", "/contact", "/about?cookie-preferences=open"]) {
        await page.goto(path);
        await expectNoShift(page, 0.01, `${path} at ${width} px`);
      }
    }
  });
});

/** Reloads the page and expects no banner in its source. */
async function expectNoBanner(page: Page): Promise<void> {
  const response = await page.goto(page.url());
  expect(await response?.text()).not.toContain('consent-banner"');
  await expect(banner(page)).toHaveCount(0);
}
