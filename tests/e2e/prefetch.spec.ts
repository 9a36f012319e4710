import type { Locator } from "playwright/test";
import type { Product } from "../support/product";
import { expect, test } from "./support/product";

/** Returns the logged requests for one route since `start`, in order. */
function readRequests({ output }: Product, start: number, route: string): { prefetch?: boolean }[] {
  return output()
    .slice(start)
    .split("\n")
    .filter((line) => line.includes(`"event":"request"`) && line.includes(`"route":"${route}"`))
    .map((line) => JSON.parse(line) as { prefetch?: boolean });
}

test("hovering over a link prefetches its page, and the click uses that response", async ({ page, product }) => {
  const start = product.output().length;
  await page.goto("/");
  const link = page.getByRole("banner").getByRole("link", { name: "About" });
  await link.hover();
  await expect.poll(() => readRequests(product, start, "/about")).toMatchObject([{ prefetch: true }]);
  await link.click();
  await expect(page).toHaveURL(`${product.url}/about`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.goto("/value");
  await expect.poll(() => readRequests(product, start, "/value")).toHaveLength(1);
  expect(readRequests(product, start, "/about")).toHaveLength(1);
});

/**
 * Presses the middle button on a link, under which Chromium prefetches at once. Leaves it before the button is released,
 * so that no tab opens; the left button would drag the link.
 */
async function press(link: Locator): Promise<void> {
  const { mouse } = link.page();
  await link.hover();
  await mouse.down({ button: "middle" });
  await mouse.move(1, 1);
  await mouse.up({ button: "middle" });
}

test("pressing does not prefetch an address with a query or the open page", async ({ page, product }) => {
  const start = product.output().length;
  await page.goto("/");
  await page.getByRole("button", { name: "Reject All" }).first().click();
  await page.goto("/");
  for (const link of [
    page.getByRole("contentinfo").getByRole("link", { name: "Cookie preferences" }),
    page.getByRole("banner").getByRole("link", { name: "What We Do" }),
  ]) {
    await press(link);
  }
  await press(page.getByRole("banner").getByRole("link", { name: "Investors" }));
  await expect.poll(() => readRequests(product, start, "/investors")).toMatchObject([{ prefetch: true }]);
  expect(readRequests(product, start, "/").filter(({ prefetch }) => prefetch)).toEqual([]);
});
