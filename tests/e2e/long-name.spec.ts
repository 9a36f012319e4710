import { expect, test } from "./support/product";

test.use({ baseURL: ({ otherFirm }, provide) => provide(otherFirm.url), viewport: { width: 360, height: 740 } });

test("the header with a firm's long name covers no focused element on a phone", async ({ page }) => {
  await page.goto("/startups");
  const header = await page.locator(".site-header").boundingBox();
  const headerHeight = header?.height ?? Infinity;
  expect(headerHeight).toBeLessThanOrEqual(120);
  await page.getByRole("button", { name: "Cookie preferences" }).focus();
  for (let i = 0; i < 20; i++) {
    await page.keyboard.press("Shift+Tab");
    const focused = page.locator("main :focus, .site-footer :focus");
    if ((await focused.count()) === 0) break;
    expect((await focused.boundingBox())?.y).toBeGreaterThanOrEqual(headerHeight);
  }
});
