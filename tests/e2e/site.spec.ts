import type { Page } from "@playwright/test";
import { publicPaths } from "../support/page-source";
import { testAdmin } from "../support/product";
import { findViolationsInBothSchemes } from "./support/axe";
import { expect, test } from "./support/product";

const adminPaths = ["", "/requests", "/requests/new", "/people", "/answer-times", "/account/second-factor", "/confirm"];
const paths = [
  ...publicPaths,
  "/login",
  "/login/forgotten",
  ...adminPaths.map((path) => `/admin${path}`),
  "/no-such-page",
];

// Long ones, each on its own: both workers take part.
test.describe.configure({ mode: "parallel", timeout: 180_000 });

test.beforeEach(async ({ page }) => {
  await page.goto("/login");
  await page.getByLabel("Email").fill(testAdmin.email);
  await page.getByLabel("Password").fill(testAdmin.password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page).toHaveURL(/\/admin$/);
});

for (const width of [360, 1280]) {
  test(`nothing moves while a page loads, however late the fonts arrive, and axe finds nothing on any page at ${width} px, light and dark; it asks no other host for anything and loads at most two fonts`, async ({
    page,
    product,
  }) => {
    const foreign: string[] = [];
    let fonts = new Set<string>();
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.protocol !== "data:" && url.origin !== new URL(product.url).origin) foreign.push(request.url());
      if (request.resourceType() === "font") fonts.add(request.url());
    });
    await page.setViewportSize({ width, height: 800 });
    await page.route("**/*.woff2", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 150));
      await route.continue();
    });
    for (const path of paths) {
      fonts = new Set();
      await page.emulateMedia({ reducedMotion: "no-preference" });
      await page.goto(path);
      expect(await findShifts(page), path).toEqual([]);
      expect(fonts.size, path).toBeLessThanOrEqual(2);
      await page.emulateMedia({ reducedMotion: "reduce" });
      expect(await findViolationsInBothSchemes(page), path).toEqual([]);
    }
    expect(foreign).toEqual([]);
  });
}

test("every page reflows at 320 px, which is 400 % of a desk's 1280", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  for (const path of paths) {
    await page.goto(path);
    expect(await findCutOff(page), path).toEqual([]);
  }
});

test("every page prints with what it says, and without what leads elsewhere", async ({ page, context }) => {
  await context.clearCookies();
  await page.emulateMedia({ media: "print" });
  for (const path of publicPaths) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 }), path).toBeVisible();
    const shown = page
      .locator(".consent-banner, .site-header, .site-footer, .legal-contents")
      .filter({ visible: true });
    await expect(shown, path).toHaveCount(0);
  }
});

test("the missing path is named in the browser's console", async ({ page }) => {
  const texts: string[] = [];
  page.on("console", (message) => texts.push(message.text()));
  await page.goto("/no-such-page?token=secret");
  await expect.poll(() => texts.filter((text) => text.startsWith("404 Error:"))).toHaveLength(1);
  expect(texts.join()).toContain("/no-such-page");
  expect(texts.join()).not.toContain("secret");
});

/** Layout shifts since the page began to load, after its fonts have arrived: where, and how much. */
function findShifts(page: Page): Promise<{ value: number; moved: string[] }[]> {
  return page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)));
    const observer = new PerformanceObserver(() => {});
    observer.observe({ type: "layout-shift", buffered: true });
    type Shift = PerformanceEntry & { value: number; sources: { node: Node | null }[] };
    return (observer.takeRecords() as Shift[]).map(({ value, sources }) => ({
      value,
      moved: sources.map(({ node }) =>
        node instanceof Element ? node.outerHTML.slice(0, 80) : String(node?.nodeValue),
      ),
    }));
  });
}

/**
 * What would need sideways scrolling to be read. Text for screen readers only is one pixel wide and no matter, nor is the beginning of
 * a text in a summary that opens to all of it.
 */
function findCutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const tooWide = document.documentElement.scrollWidth > innerWidth ? ["the page itself"] : [];
    const cutOff = [...document.querySelectorAll("main *, header *, footer *")].filter((element) => {
      const { overflowX, textOverflow } = getComputedStyle(element);
      const isBeginning = textOverflow === "ellipsis" && element.parentElement?.tagName === "SUMMARY";
      const isShown = overflowX !== "visible" && overflowX !== "clip" && element.clientWidth > 1 && !isBeginning;
      return isShown && element.scrollWidth > element.clientWidth + 1;
    });
    return [...tooWide, ...cutOff.map((element) => element.outerHTML.slice(0, 120))];
  });
}
