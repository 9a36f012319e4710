import { expect, test } from "./support/product";

test.use({ viewport: { width: 360, height: 740 } });

test("the side menu opens, traps the focus, closes on Esc and returns the focus", async ({ page }) => {
  await page.goto("/about");
  const menu = page.getByRole("dialog", { name: "Menu" });
  const opener = page.getByRole("button", { name: "Menu" });
  await expect(menu).toBeHidden();
  await opener.focus();
  await page.keyboard.press("Enter");
  await expect(menu).toBeVisible();
  await expect(menu.getByRole("link", { name: "About" })).toHaveAttribute("aria-current", "page");
  for (let i = 0; i < 12; i++) {
    await page.keyboard.press("Tab");
    const isOutside = await page.evaluate(() => {
      const active = document.activeElement;
      return active !== document.body && active?.closest("dialog") === null;
    });
    expect(isOutside).toBe(false);
  }
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await expect(opener).toBeFocused();

  await opener.click();
  await menu.getByRole("button", { name: "Close" }).click();
  await expect(menu).toBeHidden();
});

test("choosing any link closes the side menu, even a link to an anchor on the same page", async ({ page }) => {
  await page.goto("/");
  for (const [label, url] of [
    ["Investors", /\/investors$/],
    ["What We Do", /\/#services$/],
    ["Who We Serve", /\/#who-we-serve$/],
    ["What We Do", /\/#services$/],
    ["Contact Us", /\/contact\?from=home$/],
  ] as const) {
    await page.getByRole("button", { name: "Menu" }).click();
    const menu = page.getByRole("dialog", { name: "Menu" });
    await menu.getByRole("link", { name: label }).click();
    await expect(page).toHaveURL(url);
    await expect(menu).toBeHidden();
    if (url.source.includes("#")) await expect(page.getByRole("heading", { name: label })).toBeInViewport();
  }
});
