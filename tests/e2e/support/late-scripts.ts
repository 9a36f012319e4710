import { type Page, type Route, expect } from "playwright/test";

/**
 * Touches the page's form, unless a visitor is in it or its scripts come untouched, and waits for hydration. React
 * stores its data in properties of this name once it has hydrated an element.
 */
export async function waitForScripts(page: Page): Promise<void> {
  const control = page.locator("#main form :is(input, select, textarea):not([type=hidden])").first();
  if ((await page.locator("#main form :focus").count()) === 0 && (await control.isVisible())) await control.focus();
  const isHydrated = () =>
    page.locator("main").evaluate((main) => Object.keys(main).some((name) => name.startsWith("__reactProps")));
  await expect.poll(isHydrated).toBe(true);
}

/**
 * Holds requests, so that a test sees the page while it waits.
 * @param address pattern of their URLs, or a test for them
 * @returns a function that lets them and all later ones go on
 */
export async function holdRequests(
  page: Page,
  address: string | ((url: URL) => boolean),
): Promise<() => Promise<void>> {
  const held: Route[] = [];
  let isHeld = true;
  const hold = (route: Route) => (isHeld ? void held.push(route) : route.continue());
  await page.route(address, hold);
  return async () => {
    isHeld = false;
    for (const route of held) await route.continue();
    await page.unroute(address, hold);
  };
}

/**
 * Delays a page's scripts as a slow connection does.
 * @returns a function that releases them and waits for hydration
 */
export async function holdScripts(page: Page): Promise<() => Promise<void>> {
  const release = await holdRequests(page, "**/assets/entry.client-*.js");
  return async () => {
    await release();
    await waitForScripts(page);
    // After two frames, all code that starts with the scripts has run.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  };
}

/** Changes that extensions and translators make to a page before its scripts run. */
export const pageChanges = {
  "first in the body": () => document.body.prepend(document.createElement("div")),
  "next to a control": () => document.querySelector("main form input")?.after(document.createElement("span")),
  "inside a heading": () => document.querySelector("main h1")?.prepend(document.createElement("b")),
  "first in the head": () => document.head.prepend(document.createElement("style")),
  "after the body": () => document.documentElement.append(document.createElement("div")),
  "a translator": () => {
    document.documentElement.lang = "de";
    document.documentElement.classList.add("translated-ltr");
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Node[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) {
      if (text.parentElement?.closest("script, style, textarea, option") || !text.textContent?.trim()) continue;
      const [outer, inner] = [document.createElement("font"), document.createElement("font")];
      outer.append(inner);
      inner.textContent = `${text.textContent} (übersetzt)`;
      text.parentNode?.replaceChild(outer, text);
    }
  },
} as const;
