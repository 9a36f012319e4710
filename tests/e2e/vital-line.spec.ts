import type { Page } from "playwright/test";
import { answerBanner } from "./support/consent-page";
import { expect, test } from "./support/product";

const paths = ["/", "/startups", "/enterprises", "/build", "/scale", "/value"];
const widths = [360, 1280, 1680];

test.describe.configure({ mode: "parallel", timeout: 120_000 });

test.beforeEach(async ({ page }) => {
  // The banner would cover the line.
  await page.goto("/");
  await answerBanner(page, "Reject All");
});

test("a printed page has its whole lines, also those not scrolled to, within the paper's margins", async ({ page }) => {
  await page.setViewportSize({ width: 640, height: 900 });
  await page.emulateMedia({ media: "print", reducedMotion: "no-preference" });
  await page.goto("/");
  const lines = await page.locator(".vital-line").evaluateAll((found) =>
    found.map((line) => {
      const { left, right } = line.getBoundingClientRect();
      const { clipPath } = getComputedStyle(line);
      return { clipPath, excess: Math.max(-left, right - document.documentElement.clientWidth, 0) };
    }),
  );
  expect(lines).toHaveLength(4);
  for (const line of lines) expect(line).toEqual({ clipPath: "none", excess: 0 });
});

for (const path of paths)
  test(`the line on ${path} has no gap from edge to edge, with or without motion`, async ({ page, browser }) => {
    // The page under test may run no scripts; this page analyzes its screenshots.
    const reader = await browser.newPage({ javaScriptEnabled: true });
    const lines = page.locator(".vital-line");
    for (const reducedMotion of ["reduce", "no-preference"] as const) {
      await page.emulateMedia({ reducedMotion, colorScheme: "light" });
      await page.goto(path);
      expect(await isAnimated(page)).toBe(reducedMotion === "no-preference");
      // An animated line is a separate layer, which the browser may place half a pixel off.
      await expect.poll(() => countAnimations(page), { timeout: 30_000 }).toBe(0);
      await expect(lines).toHaveCount(path === "/" ? 4 : 1);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        for (const [index, line] of (await lines.all()).entries()) {
          const picture = (await line.screenshot()).toString("base64");
          const place = `line ${index + 1} at ${width} px, motion: ${reducedMotion}`;
          expect.soft(await findGaps(reader, picture), place).toEqual([]);
        }
      }
    }
    await reader.close();
  });

/** Reads the styles, because on a busy machine the animation may be over already. */
function isAnimated(page: Page): Promise<boolean> {
  return page.evaluate(() =>
    [...document.querySelectorAll(".vital-line, .vital-line path")].some(
      (part) => getComputedStyle(part).animationName !== "none",
    ),
  );
}

/** Counts time-based animations. Scroll-driven ones never finish; their effect is complete once the line is in view. */
function countAnimations(page: Page): Promise<number> {
  return page.evaluate(
    () => document.getAnimations().filter(({ timeline }) => timeline instanceof DocumentTimeline).length,
  );
}

/**
 * Returns the gaps of a line as [first, last] columns of pixels. The line's apricot, faint or full, is the only warm
 * color on the page: much more red than blue.
 * @param picture PNG in base64
 */
function findGaps(reader: Page, picture: string): Promise<[number, number][]> {
  return reader.evaluate(async (address) => {
    const bitmap = await createImageBitmap(await (await fetch(address)).blob());
    const { width, height } = bitmap;
    const canvas = new OffscreenCanvas(width, height).getContext("2d");
    canvas?.drawImage(bitmap, 0, 0);
    const pixels = canvas?.getImageData(0, 0, width, height).data ?? [];
    const isDrawn = Array.from({ length: width }, () => false);
    for (let at = 0; at < pixels.length; at += 4) {
      if ((pixels[at] ?? 0) - (pixels[at + 2] ?? 0) > 24) isDrawn[(at / 4) % width] = true;
    }
    const gaps: [number, number][] = [];
    for (const [column, drawn] of isDrawn.entries()) {
      const gap = gaps.at(-1);
      if (drawn) continue;
      if (gap?.[1] === column - 1) gap[1] = column;
      else gaps.push([column, column]);
    }
    return gaps;
  }, `data:image/png;base64,${picture}`);
}
