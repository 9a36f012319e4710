import type { Page } from "playwright/test";
import { publicPaths } from "../support/page-source";
import { expectAccessible, findViolations } from "./support/axe";
import { watchTraces } from "./support/browser-traces";
import { signIn } from "./support/forms";
import { expectNoShift, openWithLateFonts } from "./support/layout-shift";
import { expect, test } from "./support/product";

const adminPaths = ["", "/requests", "/requests/new", "/people", "/answer-times", "/account/second-factor", "/confirm"];
/** A page of each template; all pages in `npm run verify`. */
const templates = { public: ["/", "/startups", "/privacy-policy", "/contact"], own: ["/login", "/admin"] };
const paths =
  process.env["TESTS"] === "usual"
    ? templates
    : {
        public: publicPaths,
        own: ["/login", "/login/forgotten", ...adminPaths.map((path) => `/admin${path}`), "/no-such-page"],
      };

/**
 * Most layout shift of a page. A stand-in has the average width of the typeface, so a line at its limit may wrap
 * differently. On a phone, one line of an admin's page is more than 0.01 of it.
 */
const mostShift = { public: 0.01, own: 0.03 };

// These tests are long; in parallel mode, both workers take one.
test.describe.configure({ mode: "parallel", timeout: 180_000 });

// One load of a page serves every check that needs no other load: colors, widths and print depend on its style sheet
// alone, and axe runs fast once a page has compiled it.
test("public pages load without shifts and pass axe, reflow, contrast, print and privacy checks", async ({
  page,
  context,
  product,
}) => {
  const traces = watchTraces(page, context, product.url);
  for (const path of paths.public) {
    await expectQuietLoad(page, path, mostShift.public);
    await expectAccessible(page);
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
  // On a short page the banner covers links of the footer until one scrolls, so that axe calls them too small.
  await page.getByRole("button", { name: "Reject All" }).first().click();
  await expect(page.locator(".consent-banner")).toBeHidden();
  await signIn(page);
  for (const path of paths.own) {
    await expectQuietLoad(page, path, mostShift.own);
    await expectAccessible(page);
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

/** Opens a page at two widths, and expects hardly any layout shift however late its fonts arrive, of which it has two. */
async function expectQuietLoad(page: Page, path: string, most: number): Promise<void> {
  await page.emulateMedia({ reducedMotion: "no-preference", contrast: "no-preference", media: "screen" });
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    expect.soft(await openWithLateFonts(page, path), `fonts of ${path} at ${width} px`).toBeLessThanOrEqual(2);
    await expectNoShift(page, most, `${path} at ${width} px`);
  }
  await page.emulateMedia({ reducedMotion: "reduce" });
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

/** Expects a printed page to have its content and the firm's address, and no navigation. */
async function expectPrint(page: Page, path: string): Promise<void> {
  await page.emulateMedia({ media: "print", contrast: "no-preference" });
  await expect.soft(page.getByRole("heading", { level: 1 }), `${path} on paper`).toBeVisible();
  const frame = ".consent-banner, .site-header, .site-footer .wrap > :not(.imprint), .legal-contents, .button";
  await expect.soft(page.locator(frame).filter({ visible: true }), `${path} on paper`).toHaveCount(0);
  await expect.soft(page.locator(".imprint"), `${path} on paper`).toBeVisible();
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

/**
 * Returns elements that need sideways scrolling to be read. Ignores text for screen readers only, which is one pixel
 * wide, and a shortened text in a summary that opens to the full text.
 */
function findCutOff(page: Page): Promise<string[]> {
  return page.locator("main *, header *, footer *").evaluateAll((elements) =>
    elements.flatMap((element) => {
      const { overflowX, textOverflow } = getComputedStyle(element);
      // A row leads to its full text, and a line of tabs scrolls by itself.
      const isBeginning = textOverflow === "ellipsis" && element.parentElement?.matches("summary, .request-row");
      const isLineOfTabs = overflowX === "auto" && element.matches("nav:has(> .filter-tabs)");
      const isShown = overflowX !== "visible" && overflowX !== "clip" && element.clientWidth > 1;
      const isCutOff = isShown && element.scrollWidth > element.clientWidth + 1;
      return isCutOff && !isBeginning && !isLineOfTabs ? [element.outerHTML.slice(0, 120)] : [];
    }),
  );
}
