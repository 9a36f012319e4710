import { expect, test } from "../support/product";

test("the button that opens the preferences shows its words, and the link under it has no focus", async ({ page }) => {
  for (const width of [320, 360, 1280]) {
    await page.setViewportSize({ width, height: 740 });
    await page.goto("/startups");
    for (const name of ["Customize", "Cookie preferences"]) {
      const button = page.getByRole("button", { name, exact: true });
      await expect(page.getByRole("link", { name, exact: true })).toHaveCount(0);
      const frame = await button.boundingBox();
      const words = await page.locator(".opener span", { hasText: name }).boundingBox();
      if (!frame || !words) throw new Error(`${name} is not shown`);
      expect(words.width).toBeGreaterThan(40);
      expect(words.x).toBeGreaterThanOrEqual(frame.x);
      expect(words.x + words.width).toBeLessThanOrEqual(frame.x + frame.width + 0.5);
      expect(words.y).toBeGreaterThanOrEqual(frame.y);
      expect(words.y + words.height).toBeLessThanOrEqual(frame.y + frame.height);
      await button.focus();
      await page.keyboard.press("Tab");
      await expect(page.locator(".opener a:focus")).toHaveCount(0);
    }
  }
});
