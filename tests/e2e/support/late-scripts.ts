import { type Page, expect } from "playwright/test";

/**
 * Delays a page's scripts as a slow connection does.
 * @returns a function that releases them and waits for hydration
 */
export async function holdScripts(page: Page): Promise<() => Promise<void>> {
  const { promise: held, resolve: release } = withResolvers();
  await page.route("**/assets/entry.client-*.js", async (route) => {
    await held;
    await route.continue();
  });
  return async () => {
    release();
    // React stores its data in properties of this name once it has hydrated or created an element.
    const isHydrated = () =>
      page.locator("main").evaluate((main) => Object.keys(main).some((name) => name.startsWith("__reactProps")));
    await expect.poll(isHydrated).toBe(true);
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

function withResolvers() {
  let resolve: () => void = Boolean;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}
