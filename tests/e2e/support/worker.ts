import { type Browser, type TestInfo, chromium, test as base } from "playwright/test";
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

/** The worker's products. */
const started: Product[] = [];

export function hasFailed({ status, expectedStatus }: TestInfo): boolean {
  return status !== expectedStatus;
}

/**
 * The `test` that all others extend. Playwright gives journeys with different worker fixtures separate workers, and
 * each of those starts a browser and a product.
 */
export const test = base.extend<{ printWarnings: void }, Shared>({
  // A failed expectation does not tell why the product refused something.
  printWarnings: [
    async ({}, provide, info) => {
      await provide();
      if (!hasFailed(info)) return;
      for (const product of started)
        console.log(...(product.output().match(/^.*"level":"(?:warn|error)".*$/gm) ?? ["no warnings"]).slice(-8));
    },
    { auto: true },
  ],
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
  started.push(product);
  await sendFirstMessage(new Visitor(product.url));
  await provide(product);
  await product.stop();
}

/** Makes the database compile what a message needs. Beside other tests, that takes longer than a form may wait. */
async function sendFirstMessage(visitor: Visitor): Promise<void> {
  for (let attempt = 0; attempt < 10; attempt++)
    if ((await visitor.post(joinAddress, { ...filledJoinForm, email: "first@fund.example" })).status === 303) return;
}
