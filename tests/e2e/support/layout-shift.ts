import { type Page, type Request, expect } from "playwright/test";
import { holdRequests } from "./late-scripts";

/** A movement of elements that the visitor did not cause. */
interface Shift {
  /** part of the window that moved, times the distance */
  value: number;
  moved: string[];
}

/**
 * Opens a page whose fonts arrive only after its first paint.
 * @returns the number of fonts that it requests
 */
export async function openWithLateFonts(page: Page, path: string): Promise<number> {
  const fonts = new Set<string>();
  const note = (request: Request) => void (request.resourceType() === "font" && fonts.add(request.url()));
  page.on("request", note);
  const release = await holdRequests(page, "**/*.woff2");
  await page.goto(path, { waitUntil: "commit" });
  await page.waitForFunction(() => performance.getEntriesByType("paint").length > 0);
  await release();
  await page.waitForLoadState();
  page.off("request", note);
  return fonts.size;
}

/** Expects hardly any layout shift since the page began to load, its fonts included. */
export async function expectNoShift(page: Page, most: number, place: string): Promise<void> {
  const shifts = (await hasStandIns(page)) ? await findShifts(page) : [];
  const total = shifts.reduce((sum, { value }) => sum + value, 0);
  expect.soft(total > most ? shifts : [], place).toEqual([]);
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

/** Returns the layout shifts until two frames after the fonts have arrived, with the moved elements. */
function findShifts(page: Page): Promise<Shift[]> {
  return page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const observer = new PerformanceObserver(() => {});
    observer.observe({ type: "layout-shift", buffered: true });
    type Entry = PerformanceEntry & { value: number; sources: { node: Node | null }[] };
    return (observer.takeRecords() as Entry[]).map(({ value, sources }) => ({
      value,
      moved: sources.map(({ node }) =>
        node instanceof Element ? node.outerHTML.slice(0, 80) : String(node?.nodeValue),
      ),
    }));
  });
}
