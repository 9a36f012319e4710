import type { Page } from "playwright/test";
import { publicPaths } from "../support/page-source";
import { testAdmin } from "../support/product";
import { findViolations, findViolationsInBothSchemes } from "./support/axe";
import { watchTraces } from "./support/browser-traces";
import { expect, test } from "./support/product";

const adminPaths = ["", "/requests", "/requests/new", "/people", "/answer-times", "/account/second-factor", "/confirm"];
const ownPaths = ["/login", "/login/forgotten", ...adminPaths.map((path) => `/admin${path}`), "/no-such-page"];

// Long ones, each on its own: both workers take part.
test.describe.configure({ mode: "parallel", timeout: 180_000 });

// One load of a page serves every look that does not ask for another: colors, widths and paper are a matter of its style sheet alone, and
// axe, once a page has compiled it, is fast there. Public pages are looked at as visitors get them, the firm's own as its admin does.
test("public: nothing moves while a page loads, however late the fonts arrive; axe finds nothing on any page at 360 and 1280 px, light and dark; every page reflows at 320 px, has text at 7:1 where more contrast is asked for, and prints; none asks another host for anything, sets a cookie, or loads more than two fonts", async ({
  page,
  context,
  product,
}) => {
  const traces = watchTraces(page, context, product.url);
  const open = await openWithLateFonts(page);
  for (const path of publicPaths) {
    await open(path);
    await expectAccessible(page, path);
    await expectReflow(page, path);
    await page.setViewportSize({ width: 1280, height: 800 });
    await expectStrongContrast(page, path);
    await expectPrint(page, path);
    expect.soft(await traces.findUnlisted(), path).toEqual([]);
    expect.soft(await traces.listCookies(), path).toEqual([]);
  }
  expect(traces.foreignRequests).toEqual([]);
});

test("the firm's own: nothing moves while a page loads, however late the fonts arrive; axe finds nothing on any page at 360 and 1280 px, light and dark; every page reflows at 320 px; none asks another host for anything or loads more than two fonts", async ({
  page,
  context,
  product,
}) => {
  const { foreignRequests } = watchTraces(page, context, product.url);
  await page.goto("/login");
  await page.getByLabel("Email").fill(testAdmin.email);
  await page.getByLabel("Password").fill(testAdmin.password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page).toHaveURL(/\/admin(?:\?notice=.*)?$/);
  const open = await openWithLateFonts(page);
  for (const path of ownPaths) {
    await open(path);
    await expectAccessible(page, path);
    await expectReflow(page, path);
  }
  expect(foreignRequests).toEqual([]);
});

test("the missing path is named in the browser's console", async ({ page }) => {
  const texts: string[] = [];
  page.on("console", (message) => texts.push(message.text()));
  await page.goto("/no-such-page?token=secret");
  await expect.poll(() => texts.filter((text) => text.startsWith("404 Error:"))).toHaveLength(1);
  expect(texts.join()).toContain("/no-such-page");
  expect(texts.join()).not.toContain("secret");
});

/** Opens pages with fonts that arrive late, at two widths, and looks for what moves while it loads. */
async function openWithLateFonts(page: Page): Promise<(path: string) => Promise<void>> {
  let fonts = new Set<string>();
  page.on("request", (request) => {
    if (request.resourceType() === "font") fonts.add(request.url());
  });
  await page.route("**/*.woff2", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 150));
    await route.continue();
  });
  return async (path) => {
    await page.emulateMedia({ reducedMotion: "no-preference", contrast: "no-preference", media: "screen" });
    for (const width of [1280, 360]) {
      fonts = new Set();
      await page.setViewportSize({ width, height: 800 });
      await page.goto(path);
      expect.soft(await findShifts(page), `${path} at ${width} px`).toEqual([]);
      expect.soft(fonts.size, `fonts of ${path} at ${width} px`).toBeLessThanOrEqual(2);
    }
    await page.emulateMedia({ reducedMotion: "reduce" });
  };
}

/** Each width by all rules: what is hidden at one, as a menu is, may be there at the other. */
async function expectAccessible(page: Page, path: string): Promise<void> {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect.soft(await findViolationsInBothSchemes(page), `${path} at ${width} px`).toEqual([]);
  }
}

/** At 320 px, which is 400 % of a desk's 1280. */
async function expectReflow(page: Page, path: string): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 });
  expect.soft(await findCutOff(page), `${path} at 320 px`).toEqual([]);
}

/** Text is at 7:1 (WCAG 2.2, 1.4.6), or 4.5:1 where it is large, where more contrast is asked for. */
async function expectStrongContrast(page: Page, path: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ contrast: "more", colorScheme });
    const pale = await findViolations(page, ["color-contrast-enhanced"]);
    expect.soft(pale, `${path} with more contrast, ${colorScheme}`).toEqual([]);
  }
}

/** A page prints with what it says, and without what leads elsewhere. */
async function expectPrint(page: Page, path: string): Promise<void> {
  await page.emulateMedia({ media: "print", contrast: "no-preference" });
  await expect.soft(page.getByRole("heading", { level: 1 }), `${path} on paper`).toBeVisible();
  const shown = page.locator(".consent-banner, .site-header, .site-footer, .legal-contents").filter({ visible: true });
  await expect.soft(shown, `${path} on paper`).toHaveCount(0);
}

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
