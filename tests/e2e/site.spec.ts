import type { Page } from "playwright/test";
import { publicPaths } from "../support/page-source";
import { testAdmin } from "../support/product";
import { findViolations, findViolationsInBothSchemes, widths } from "./support/axe";
import { watchTraces } from "./support/browser-traces";
import { expect, test } from "./support/product";

const adminPaths = ["", "/requests", "/requests/new", "/people", "/answer-times", "/account/second-factor", "/confirm"];
/** A page of each kind; all in `npm run verify`. */
const eachKind = ["/", "/contact"];
const checkedPaths = process.env["TESTS"] === "usual" ? eachKind : publicPaths;

const ownPaths = ["/login", "/login/forgotten", ...adminPaths.map((path) => `/admin${path}`), "/no-such-page"];

// These tests are long; in parallel mode, both workers take one.
test.describe.configure({ mode: "parallel", timeout: 180_000 });

// One load of a page serves every check that needs no other load: colors, widths and print depend on its style sheet
// alone, and axe runs fast once a page has compiled it. Public pages are checked as visitors see them, the firm's own
// as its admin does.
// Each page: hardly any layout shift however late the fonts arrive, at most two fonts, no axe violation at 360 and 1280 px in
// light and dark, reflow at 320 px, no request to another host. Public pages also: text at 7:1 under prefers-contrast:
// more, print, no cookie.
test("public pages load without shifts and pass axe, reflow, contrast, print and privacy checks", async ({
  page,
  context,
  product,
}) => {
  const traces = watchTraces(page, context, product.url);
  const open = await openWithLateFonts(page, mostShift.public);
  for (const path of checkedPaths) {
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

test("the firm's own pages load without shifts and pass axe, reflow and privacy checks", async ({
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
  const open = await openWithLateFonts(page, mostShift.own);
  for (const path of ownPaths) {
    await open(path);
    await expectAccessible(page, path);
    await expectReflow(page, path);
  }
  expect(foreignRequests).toEqual([]);
});

test("the 404 page names the missing path in the browser's console, without its query", async ({ page }) => {
  const texts: string[] = [];
  page.on("console", (message) => texts.push(message.text()));
  await page.goto("/no-such-page?token=secret");
  await expect.poll(() => texts.filter((text) => text.startsWith("404 Error:"))).toHaveLength(1);
  expect(texts.join()).toContain("/no-such-page");
  expect(texts.join()).not.toContain("secret");
});

/**
 * A stand-in has the average width of the typeface, so a line at its limit may wrap differently. On a phone, one line of
 * an admin's page is more than 0.01 of it.
 */
const mostShift = { public: 0.01, own: 0.03 };

/** Returns a function that opens a page with late fonts at two widths and expects hardly any layout shift meanwhile. */
async function openWithLateFonts(page: Page, most: number): Promise<(path: string) => Promise<void>> {
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
      const shifts = (await hasStandIns(page)) ? await findShifts(page) : [];
      const total = shifts.reduce((sum, { value }) => sum + value, 0);
      expect.soft(total > most ? shifts : [], `${path} at ${width} px`).toEqual([]);
      expect.soft(fonts.size, `fonts of ${path} at ${width} px`).toBeLessThanOrEqual(2);
    }
    await page.emulateMedia({ reducedMotion: "reduce" });
  };
}

/**
 * Returns true if the machine has a font that stands in for each typeface, such as Liberation, or Roboto and Noto Serif.
 * Without one a page moves, or not, as the machine is idle or busy.
 */
async function hasStandIns(page: Page): Promise<boolean> {
  return page.evaluate(async () => {
    const families = ["Figtree Stand-in", "Figtree Android", "Fraunces Stand-in", "Fraunces Linux"];
    const loaded = await Promise.all(families.map((family) => document.fonts.load(`1em "${family}"`).catch(() => [])));
    const [text, android, display, linux] = loaded.map((faces) => faces.length > 0);
    return (text === true || android === true) && (display === true || linux === true);
  });
}

/** Runs all rules at each width, because an element may be hidden at one and shown at the other, as a menu is. */
async function expectAccessible(page: Page, path: string): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    expect.soft(await findViolationsInBothSchemes(page), `${path} at ${width} px`).toEqual([]);
  }
}

/** Expects reflow at 320 px, which equals a window of 1280 px at 400% zoom. */
async function expectReflow(page: Page, path: string): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 });
  expect.soft(await findCutOff(page), `${path} at 320 px`).toEqual([]);
}

/** Expects text at 7:1 (WCAG 2.2, 1.4.6), or 4.5:1 where it is large, under prefers-contrast: more. */
async function expectStrongContrast(page: Page, path: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ contrast: "more", colorScheme });
    const pale = await findViolations(page, ["color-contrast-enhanced"]);
    expect.soft(pale, `${path} with more contrast, ${colorScheme}`).toEqual([]);
  }
}

/** Expects a printed page to have its content and no navigation. */
async function expectPrint(page: Page, path: string): Promise<void> {
  await page.emulateMedia({ media: "print", contrast: "no-preference" });
  await expect.soft(page.getByRole("heading", { level: 1 }), `${path} on paper`).toBeVisible();
  const shown = page.locator(".consent-banner, .site-header, .site-footer, .legal-contents").filter({ visible: true });
  await expect.soft(shown, `${path} on paper`).toHaveCount(0);
  await expect.soft(page.locator(".button").filter({ visible: true }), `${path} on paper`).toHaveCount(0);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  expect.soft(await findColored(page), `${path} on paper`).toEqual([]);
}

/** Text on paper that is paler than #333, and surfaces that are not white. */
function findColored(page: Page): Promise<string[]> {
  return page.locator("html, main :is(section, p, h1, h2, h3, li)").evaluateAll((elements) =>
    elements.flatMap((element) => {
      const { color, backgroundColor } = getComputedStyle(element);
      const isSeen = element.checkVisibility() && element.textContent?.trim() !== "";
      const isDark = (color.match(/[\d.]+/g) ?? []).slice(0, 3).every((part) => Number(part) <= 0x33);
      const isBare = /^rgb\(255, 255, 255\)$|, 0\)$/.test(backgroundColor);
      return !isSeen || (isDark && isBare) ? [] : [`${element.outerHTML.slice(0, 60)}: ${color} on ${backgroundColor}`];
    }),
  );
}

/** Returns the layout shifts since the page began to load, after its fonts have arrived, with the moved elements. */
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
 * Returns elements that need sideways scrolling to be read. Ignores text for screen readers only, which is one pixel
 * wide, and a shortened text in a summary that opens to the full text.
 */
function findCutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const tooWide = document.documentElement.scrollWidth > innerWidth ? ["the page itself"] : [];
    const cutOff = [...document.querySelectorAll("main *, header *, footer *")].filter((element) => {
      const { overflowX, textOverflow } = getComputedStyle(element);
      // A row leads to its full text, and a line of tabs scrolls by itself.
      const isBeginning = textOverflow === "ellipsis" && element.parentElement?.matches("summary, .request-row");
      const isLineOfTabs = overflowX === "auto" && element.matches("nav:has(> .filter-tabs)");
      const isShown = overflowX !== "visible" && overflowX !== "clip" && element.clientWidth > 1;
      if (isBeginning || isLineOfTabs) return false;
      return isShown && element.scrollWidth > element.clientWidth + 1;
    });
    return [...tooWide, ...cutOff.map((element) => element.outerHTML.slice(0, 120))];
  });
}
