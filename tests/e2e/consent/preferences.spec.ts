import type { Page } from "playwright/test";
import { answerBanner, banner, preferences, readChoice } from "../support/consent-page";
import { openHydrated } from "../support/forms";
import { expect, test } from "../support/product";

/** Phones upright and on their side, and a desktop window at 400% zoom. */
const windows = [
  [360, 740],
  [390, 667],
  [667, 375],
  [320, 480],
  [320, 256],
] as const;

test("the dialog keeps the focus, in sight, in every window, and its buttons in one row on a phone", async ({
  page,
}) => {
  for (const [width, height] of windows) {
    await page.setViewportSize({ width, height });
    await page.goto("/startups");
    await openByKeyboard(page);
    const actions = preferences(page).locator(".dialog-actions .button");
    const tops = await actions.evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().top));
    expect(tops).toHaveLength(3);
    if (width === 360) expect(new Set(tops).size).toBe(1);
    for (const key of [...Array<string>(10).fill("Tab"), ...Array<string>(10).fill("Shift+Tab")]) {
      await page.keyboard.press(key);
      expect(await describeHidden(page), `${width} × ${height}`).toBeNull();
    }
  }
});

test("Enter on a switch saves the switches, and moves the focus into the content where scripts run", async ({
  page,
  context,
  javaScriptEnabled,
}) => {
  for (const open of javaScriptEnabled ? [openByKeyboard, openAsPopover] : [openByKeyboard]) {
    await context.clearCookies();
    await (javaScriptEnabled ? openHydrated(page, "/contact") : page.goto("/contact"));
    await open(page);
    await preferences(page).getByRole("switch", { name: "Analytics" }).check();
    await page.keyboard.press("Enter");
    await expect.poll(() => readChoice(context)).toBe("a=1&m=0 by dialog");
    await expect(preferences(page)).toBeHidden();
    if (javaScriptEnabled) await expect(page.locator("#main")).toBeFocused();
  }
});

test("Cancel and Esc drop unsaved switches where scripts run", async ({ page, context, javaScriptEnabled }) => {
  test.skip(!javaScriptEnabled, "no control both resets a form and closes a dialog");
  await openHydrated(page, "/contact");
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

test("one line says after each answer that it is saved", async ({ page, context }) => {
  for (const path of ["/startups", "/contact"]) {
    for (const answer of ["Reject All", "Accept All", "Close"]) {
      await context.clearCookies();
      await page.goto(path, { waitUntil: "networkidle" });
      const status = page.locator("output.consent-answered");
      await expect(status).not.toContainText(/\S/, { useInnerText: true });
      await answerBanner(page, answer);
      await expect(status.locator("span")).toBeInViewport({ ratio: 1 });
    }
  }
});

/** As browsers without invoker commands do. */
async function openAsPopover(page: Page) {
  await banner(page).getByRole("button", { name: "Customize" }).focus();
  await page.locator("#cookie-preferences").evaluate((dialog: HTMLElement) => dialog.showPopover());
}

async function openByKeyboard(page: Page) {
  await banner(page).getByRole("button", { name: "Customize" }).focus();
  await page.keyboard.press("Enter");
  await expect(preferences(page)).toBeVisible();
}

/** Describes the focused control if it is outside the dialog, or hidden by its edge or buttons; null if in sight. */
function describeHidden(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const active = document.activeElement;
    const dialog = active?.closest("dialog");
    const actions = dialog?.querySelector(".dialog-actions");
    if (!active || active === document.body || active === dialog) return null;
    if (!dialog || !actions) return active.outerHTML.slice(0, 80);
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
