import { type Browser, chromium, test as base } from "playwright/test";
import config from "../../playwright.config";
import { type Product, startProduct } from "../../support/product";
import { Visitor } from "../../support/visitor";
import { filledJoinForm, joinAddress } from "../../support/network-links";
import { Life } from "./request-life";

/** Fixtures that a worker's journeys share. Each starts when first used, and stops with the worker. */
interface Shared {
  product: Product;
  /** with Google Analytics; no request reaches Google */
  measuredProduct: Product;
  life: Life;
  /** with the back/forward cache, which Playwright disables */
  browserWithPageCache: Browser;
}

/** The property that `measuredProduct` reports to. */
export const analyticsProperty = "G-TEST123456";

/**
 * The `test` that all others extend. Playwright gives journeys with different worker fixtures separate workers, and
 * each of those starts a browser and a product.
 */
export const test = base.extend<object, Shared>({
  product: [({}, provide) => provideProduct({}, provide), { scope: "worker", timeout: 120_000 }],
  measuredProduct: [
    ({}, provide) => provideProduct({ GA_MEASUREMENT_ID: analyticsProperty }, provide),
    { scope: "worker", timeout: 120_000 },
  ],
  browserWithPageCache: [
    async ({}, provide) => {
      const ignoreDefaultArgs = ["--disable-back-forward-cache"];
      const browser = await chromium.launch({ ...config.use?.launchOptions, ignoreDefaultArgs });
      await provide(browser);
      await browser.close();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  life: [
    async ({ browser }, provide) => {
      const life = await Life.begin(browser);
      await provide(life);
      await life.end();
    },
    { scope: "worker", timeout: 120_000 },
  ],
});

async function provideProduct(
  settings: Record<string, string>,
  provide: (product: Product) => Promise<void>,
): Promise<void> {
  const product = await startProduct(settings);
  await sendFirstMessage(new Visitor(product.url));
  await provide(product);
  await product.stop();
}

/** Makes the database compile what a message needs. Beside other tests, that takes longer than a form may wait. */
async function sendFirstMessage(visitor: Visitor): Promise<void> {
  for (let attempt = 0; attempt < 10; attempt++)
    if ((await visitor.post(joinAddress, { ...filledJoinForm, email: "first@fund.example" })).status === 303) return;
}
