import { consentHoldsFor } from "~/content/cookie-registry";
import { answerBanner, banner, expectNoBanner, preferences, readChoice } from "../support/consent-page";
import { fillContactForm } from "../support/contact-page";
import { expect, test } from "../support/product";

for (const path of ["/about", "/contact", "/cookie-policy"]) {
  test(`a visitor rejects, reopens, allows and withdraws on ${path}`, async ({ page, context }) => {
    await page.goto(path);
    await expect(banner(page)).toBeVisible();
    await banner(page).getByRole("button", { name: "Reject All" }).click();
    await expect(banner(page)).toBeHidden();
    await expect.poll(() => readChoice(context)).toBe("a=0&m=0 by banner");
    await expect(page).toHaveURL(new RegExp(`${path}$`));
    await expectNoBanner(page);

    await openPreferences();
    await expect(preferences(page)).toContainText(/Your choice of|You have chosen/);
    await expect(preferences(page)).toContainText("analytics not allowed, marketing not allowed");
    await expect(preferences(page).getByRole("switch", { name: "Functional" })).toBeDisabled();
    await expect(preferences(page).getByRole("switch", { name: "Functional" })).toBeChecked();
    await preferences(page).getByRole("switch", { name: "Analytics" }).check();
    await preferences(page).getByRole("button", { name: "Save Preferences" }).click();
    await expect.poll(() => readChoice(context)).toBe("a=1&m=0 by dialog");
    await expect(preferences(page)).toBeHidden();
    await expect(page).toHaveURL(new RegExp(`${path}(\\?notice=[^#]*)?(#.*)?$`));

    await openPreferences();
    await expect(preferences(page)).toContainText("analytics allowed, marketing not allowed");
    await expect(preferences(page).getByRole("switch", { name: "Analytics" })).toBeChecked();
    // Withdrawing consent takes one press, as giving it did.
    await preferences(page).getByRole("button", { name: "Reject All" }).click();
    await expect.poll(() => readChoice(context)).toBe("a=0&m=0 by dialog");
    await expect(preferences(page)).toBeHidden();
    await expectNoBanner(page);

    async function openPreferences() {
      const opener = page.getByRole("button", { name: "Cookie preferences" });
      const link = page.getByRole("link", { name: "Cookie preferences" });
      await opener.or(link).first().click();
      await expect(preferences(page)).toBeVisible();
    }
  });
}

test("Accept All allows analytics and marketing", async ({ page, context }) => {
  await page.goto("/startups");
  await banner(page).getByRole("button", { name: "Accept All" }).click();
  await expect.poll(() => readChoice(context)).toBe("a=1&m=1 by banner");
  await expectNoBanner(page);
  const cookies = Object.fromEntries((await context.cookies()).map((cookie) => [cookie.name, cookie]));
  // The site sets two years; browsers cap a cookie's lifetime at 400 days (RFC 6265bis, section 5.5).
  const lifetimeDays = ((cookies["cookie-consent"]?.expires ?? 0) - Date.now() / 1000) / 86_400;
  expect(lifetimeDays).toBeGreaterThan(399);
  expect(cookies["session-id"]?.expires).toBe(-1);
  expect(cookies["session-id"]?.value).toMatch(/^[\w-]{32,}$/);
});

test("a decision in the banner keeps the scroll position", async ({ page, context }) => {
  for (const choice of ["Close", "Reject All"]) {
    await context.clearCookies();
    await page.goto("/");
    await page.mouse.wheel(0, 1500);
    await expect.poll(() => top()).toBeLessThan(-1000);
    const before = await top();
    await answerBanner(page, choice);
    await expect(banner(page)).toBeHidden();
    expect(await top()).toBe(before);
  }
  function top() {
    return page
      .locator("h1")
      .boundingBox()
      .then((box) => box?.y ?? 0);
  }
});

test("closing the banner stores no consent and hides the banner for half a year", async ({ page, context }) => {
  await page.goto("/value");
  await banner(page).getByRole("button", { name: "Close" }).click();
  await expect(banner(page)).toBeHidden();
  await expect
    .poll(async () =>
      (await context.cookies()).map(({ name, expires }) => [name, Math.floor((expires - Date.now() / 1000) / 86_400)]),
    )
    .toEqual([["cookie-banner", Math.floor(consentHoldsFor / 86_400)]]);
  await expectNoBanner(page);
});

test("Customize opens a modal dialog; Esc and Cancel change nothing and return the focus", async ({
  page,
  context,
}) => {
  await page.goto("/growth-stage");
  const customize = banner(page).getByRole("button", { name: "Customize" });
  await customize.focus();
  await page.keyboard.press("Enter");
  await expect(preferences(page)).toBeVisible();
  await expect(preferences(page)).toContainText("You haven’t chosen yet.");
  for (const [name, path] of [
    ["Your data rights", "/data-rights"],
    ["Privacy Policy", "/privacy-policy"],
  ] as const) {
    await expect(preferences(page).getByRole("link", { name })).toHaveAttribute("href", path);
  }
  for (let i = 0; i < 14; i++) {
    await page.keyboard.press("Tab");
    const isOutside = await page.evaluate(() => {
      const active = document.activeElement;
      return active !== document.body && active?.closest("dialog") === null;
    });
    expect(isOutside).toBe(false);
  }
  await page.keyboard.press("Escape");
  await expect(preferences(page)).toBeHidden();
  await expect(customize).toBeFocused();
  await customize.click();
  await preferences(page).getByRole("button", { name: "Cancel" }).click();
  await expect(preferences(page)).toBeHidden();
  await expect(banner(page)).toBeVisible();
  expect(await context.cookies()).toEqual([]);
});

test("the preferences have an address on every page and return to that page", async ({ page, context }) => {
  await page.goto("/investors?cookie-preferences=open#cookie-preferences");
  await expect(preferences(page)).toBeInViewport();
  await preferences(page).getByRole("link", { name: "Cancel" }).click();
  await expect(page).toHaveURL(/\/investors$/);
  await page.goto("/investors?cookie-preferences=open#cookie-preferences");
  await preferences(page).getByRole("switch", { name: "Marketing" }).check();
  await preferences(page).getByRole("button", { name: "Save Preferences" }).click();
  await expect(page).toHaveURL(/\/investors\?notice=choiceSaved/);
  expect(await readChoice(context)).toBe("a=0&m=1 by dialog");
  await expect(banner(page)).toHaveCount(0);
});

test("a cookie decision keeps the text in another form", async ({ page, context }) => {
  await page.goto("/contact");
  await fillContactForm(page);
  await banner(page).getByRole("button", { name: "Accept All" }).click();
  await expect(banner(page)).toBeHidden();
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
