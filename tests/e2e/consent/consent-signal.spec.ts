import type { Page } from "playwright/test";
import { banner, preferences, readChoice } from "../support/consent-page";
import { expect, test } from "../support/product";

test.use({ extraHTTPHeaders: { "Sec-GPC": "1" } });

const note = (page: Page) => page.getByRole("contentinfo").getByText("Your browser asks sites not to track you");

for (const path of ["/", "/contact", "/cookie-policy"]) {
  test(`a signal on ${path} sets the choice without a banner, shows a note, and can be overridden`, async ({
    page,
    context,
  }) => {
    await page.goto(path);
    await expect(banner(page)).toHaveCount(0);
    await expect(note(page)).toBeVisible();
    expect(await readChoice(context)).toBe("a=0&m=0 by signal");

    await openPreferences(page);
    await expect(preferences(page)).toContainText("We took your browser’s signal as your choice");
    await preferences(page).getByRole("switch", { name: "Analytics" }).check();
    await preferences(page).getByRole("button", { name: "Save Preferences" }).click();
    await expect.poll(() => readChoice(context)).toBe("a=1&m=0 by dialog");
    await expect(preferences(page)).toBeHidden();
    await expect(page).toHaveURL(new RegExp(`${path}(\\?notice=[^#]*)?(#.*)?$`));
    await expect(note(page)).toBeVisible();

    await page.goto("/about");
    await expect(banner(page)).toHaveCount(0);
    await expect(note(page)).toBeVisible();
    expect(await readChoice(context)).toBe("a=1&m=0 by dialog");
  });
}

/** A fallback font has the metrics of the typeface it stands for, but not letter by letter. */
const mostShift = 0.01;

test("pages do not shift for a visitor with a signal, with the note or after a choice", async ({
  page,
  javaScriptEnabled,
}) => {
  test.skip(!javaScriptEnabled, "shifts are measured by a script");
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    for (const path of ["/", "/contact", "/cookie-policy", "/about?cookie-preferences=open"]) {
      await page.goto(path);
      expect(await measureShift(page), `${path} at ${width} px`).toBeLessThanOrEqual(mostShift);
    }
  }
});

async function openPreferences(page: Page): Promise<void> {
  const name = "Cookie preferences";
  const opener = page.getByRole("button", { name, exact: true }).or(page.getByRole("link", { name, exact: true }));
  await opener.first().click();
  await expect(preferences(page)).toBeVisible();
}

/** Returns the cumulative layout shift since the page began to load. */
function measureShift(page: Page): Promise<number> {
  return page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)));
    const observer = new PerformanceObserver(() => {});
    observer.observe({ type: "layout-shift", buffered: true });
    type Shift = PerformanceEntry & { value: number };
    return (observer.takeRecords() as Shift[]).reduce((sum, { value }) => sum + value, 0);
  });
}
