import { banner, openPreferences, preferences, readChoice } from "../support/consent-page";
import { expectNoShift } from "../support/layout-shift";
import { expect, test } from "../support/product";

test.use({ extraHTTPHeaders: { "Sec-GPC": "1" } });

test("a signal sets the choice without a banner, shows a note, and can be overridden", async ({ page, context }) => {
  const note = page.getByRole("contentinfo").getByText("Your browser asks sites not to track you");
  await page.goto("/contact");
  await expect(banner(page)).toHaveCount(0);
  await expect(note).toBeVisible();
  expect(await readChoice(context)).toBe("a=0&m=0 by signal");

  await openPreferences(page);
  await expect(preferences(page)).toContainText("We took your browser’s signal as your choice");
  await preferences(page).getByRole("switch", { name: "Analytics" }).check();
  await preferences(page).getByRole("button", { name: "Save Preferences" }).click();
  await expect.poll(() => readChoice(context)).toBe("a=1&m=0 by dialog");
  await expect(preferences(page)).toBeHidden();

  await page.goto("/about");
  await expect(banner(page)).toHaveCount(0);
  await expect(note).toBeVisible();
  expect(await readChoice(context)).toBe("a=1&m=0 by dialog");
});

test("pages do not shift for a visitor with a signal, with the note or after a choice", async ({
  page,
  javaScriptEnabled,
}) => {
  test.skip(!javaScriptEnabled, "shifts are measured by a script");
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    for (const path of ["/", "/contact", "/about?cookie-preferences=open"]) {
      await page.goto(path);
      await expectNoShift(page, 0.01, `${path} at ${width} px`);
    }
  }
});
