import { ensureBrowser } from "../../scripts/browser.mjs";
import { loadModule } from "../../scripts/load-module.mjs";

/**
 * Opens the built product and the tests' browser for scripts that visit every page.
 * @param {{ browserArgs?: string[], settings?: Record<string, string> }} [options] additional browser switches, and
 * settings of the product
 */
export async function openSite({ browserArgs = [], settings = {} } = {}) {
  await ensureBrowser();
  const { launchBrowser } = /** @type {typeof import("../../tests/e2e/support/launch-browser")} */ (
    await loadModule("tests/e2e/support/launch-browser.ts")
  );
  const { startProduct, testAdmin } = /** @type {typeof import("../../tests/support/product")} */ (
    await loadModule("tests/support/product.ts")
  );
  const { sitePages } = /** @type {typeof import("../../app/content/site-pages")} */ (
    await loadModule("app/content/site-pages.ts")
  );
  const product = await startProduct(settings);
  const browser = await launchBrowser(browserArgs);
  return {
    product,
    browser,
    /** of every public page */
    paths: sitePages.map(({ path }) => path),
    admin: testAdmin,
    async close() {
      await browser.close();
      await product.stop();
    },
  };
}
