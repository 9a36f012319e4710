import type { Page } from "playwright/test";
import { answerBanner, banner, preferences, readChoice } from "../support/consent-page";
import { expect, test } from "../support/product";

/** Phones upright and on their side, and a desktop window at 400% zoom. */
const windows = [
  [360, 740],
  [390, 667],
  [667, 375],
  [320, 480],
  [320, 256],
] as const;

test("the dialog shows the focused control in every window", async ({ page }) => {
  for (const [width, height] of windows) {
    await page.setViewportSize({ width, height });
    await page.goto("/startups");
    await openByKeyboard(page);
    for (const key of [...Array<string>(10).fill("Tab"), ...Array<string>(10).fill("Shift+Tab")]) {
      await page.keyboard.press(key);
      expect(await describeHidden(page), `${width} × ${height}`).toBeNull();
    }
  }
});

test("a phone of 360 px has the dialog's buttons in one row", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/startups");
  await openByKeyboard(page);
  const tops = await preferences(page)
    .locator(".dialog-actions .button")
    .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().top));
  expect(tops).toHaveLength(3);
  expect(new Set(tops).size).toBe(1);
});

test("Enter on a switch saves the switches", async ({ page, context }) => {
  await page.goto("/startups");
  await openByKeyboard(page);
  await preferences(page).getByRole("switch", { name: "Analytics" }).check();
  await page.keyboard.press("Enter");
  await expect.poll(() => readChoice(context)).toBe("a=1&m=0 by dialog");
});

test("Cancel and Esc drop unsaved switches where scripts run", async ({ page, context, javaScriptEnabled }) => {
  test.skip(!javaScriptEnabled, "no control both resets a form and closes a dialog");
  await page.goto("/contact", { waitUntil: "networkidle" });
  const analytics = preferences(page).getByRole("switch", { name: "Analytics" });
  for (const leave of [
    () => page.keyboard.press("Escape"),
    () => preferences(page).getByRole("button", { name: "Cancel" }).click(),
  ]) {
    await openByKeyboard(page);
    await expect(analytics).not.toBeChecked();
    await analytics.check();
    await leave();
    await expect(preferences(page)).toBeHidden();
  }
  expect(await readChoice(context)).toBeNull();
});

test("after the preferences were saved from the banner, the focus is in the content", async ({
  page,
  javaScriptEnabled,
}) => {
  test.skip(!javaScriptEnabled, "without scripts, the page loads again");
  await page.goto("/contact", { waitUntil: "networkidle" });
  await banner(page).getByRole("button", { name: "Customize" }).click();
  await preferences(page).getByRole("switch", { name: "Analytics" }).press("Enter");
  await expect(preferences(page)).toBeHidden();
  await expect(page.locator("#main")).toBeFocused();
});

test("one line says after each answer that it is saved", async ({ page, context }) => {
  for (const path of ["/startups", "/contact"]) {
    for (const answer of ["Reject All", "Accept All", "Close"]) {
      await context.clearCookies();
      await page.goto(path, { waitUntil: "networkidle" });
      const status = page.locator("output.consent-answered");
      await expect(status).not.toContainText(/\S/, { useInnerText: true });
      await answerBanner(page, answer);
      await expect(banner(page)).toBeHidden();
      await expect(status.locator("span")).toBeInViewport({ ratio: 1 });
    }
  }
});

async function openByKeyboard(page: Page) {
  await banner(page).getByRole("button", { name: "Customize" }).focus();
  await page.keyboard.press("Enter");
  await expect(preferences(page)).toBeVisible();
}

/** Describes the focused control if the dialog's edge or its buttons hide it; null if it is in sight. */
function describeHidden(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const active = document.activeElement;
    const dialog = active?.closest("dialog");
    const actions = dialog?.querySelector(".dialog-actions");
    if (!active || !dialog || !actions || active === dialog) return null;
    const box = active.getBoundingClientRect();
    const bottom = actions.contains(active)
      ? dialog.getBoundingClientRect().bottom
      : actions.getBoundingClientRect().top;
    const isCovered = box.bottom > bottom + 1 && box.top < actions.getBoundingClientRect().bottom;
    const isCut =
      box.bottom > dialog.getBoundingClientRect().bottom + 1 || box.top < dialog.getBoundingClientRect().top - 1;
    return isCovered || isCut ? active.outerHTML.slice(0, 80) : null;
  });
}
