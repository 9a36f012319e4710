import { holdScripts } from "./support/late-scripts";
import { expect, test } from "./support/product";

test.use({ baseURL: ({ otherFirm }, provide) => provide(otherFirm.url) });

test("a firm's own words stay as they are when the page's scripts start", async ({ page }) => {
  const run = await holdScripts(page);
  await page.goto("/contact");
  const words = ["Write us a line.", "Your clinic or your fund.", "First check the box above."];
  for (const text of words) await expect(page.getByText(text)).toBeVisible();
  await run();
  for (const text of words) await expect(page.getByText(text)).toBeVisible();
});
