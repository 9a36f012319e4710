import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startProduct } from "../support/product";
import { makeSiteFolder } from "../support/site-folder";
import { expect, test } from "./support/product";

const names = {
  usual: "Okonjo & Hale Healthcare Advisory Partners",
  longest: "The Okonjo, Hale, Brandt and Castellanos Institute of Healthcare Advisory, Inc.",
};

for (const [kind, name] of Object.entries(names))
  test(`the header with a firm's long name (${kind}) covers no focused element on a phone`, async ({ browser }) => {
    const dataDir = await makeSiteFolder();
    await writeFile(join(dataDir, "facts.yaml"), `name: "${name}"\n`);
    // In a process, because a process has one firm.
    const site = await startProduct({}, { dataDir });
    const context = await browser.newContext({ baseURL: site.url, viewport: { width: 360, height: 740 } });
    const page = await context.newPage();
    await page.goto("/startups");
    const header = await page.locator(".site-header").boundingBox();
    const headerHeight = header?.height ?? Infinity;
    expect(headerHeight).toBeLessThanOrEqual(kind === "usual" ? 75 : 120);
    await page.getByRole("button", { name: "Cookie preferences" }).focus();
    for (let i = 0; i < 20; i++) {
      await page.keyboard.press("Shift+Tab");
      const focused = page.locator("main :focus, .site-footer :focus");
      if ((await focused.count()) === 0) break;
      expect((await focused.boundingBox())?.y).toBeGreaterThanOrEqual(headerHeight);
    }
    await context.close();
    await site.stop();
  });
