import type { RunningSite } from "../support/product";
import { expect, test } from "./support/product";

/** Returns the logged requests for one route since `start`, in order. */
function readRequests({ output }: RunningSite, start: number, route: string): { prefetch?: boolean }[] {
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
