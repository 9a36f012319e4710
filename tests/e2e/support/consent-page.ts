import { type BrowserContext, type Page, expect } from "playwright/test";

/** The question about cookies. */
export const banner = (page: Page) => page.getByRole("region", { name: "Cookies on this site" });

/** The dialog with the switches. */
export const preferences = (page: Page) => page.getByRole("dialog", { name: "Privacy & Cookie Preferences" });

/** What the browser keeps of the choice, e.g. "a=1&m=0 by banner"; null while there is none. */
export async function readChoice(context: BrowserContext): Promise<string | null> {
  const cookie = (await context.cookies()).find(({ name }) => name === "cookie-consent");
  if (!cookie) return null;
  const value = new URLSearchParams(cookie.value);
  return `a=${value.get("a")}&m=${value.get("m")} by ${value.get("by")}`;
}

/** Opens the same page afresh and finds no banner in its source. */
export async function expectNoBanner(page: Page) {
  const response = await page.goto(page.url());
  expect(await response?.text()).not.toContain('consent-banner"');
  await expect(banner(page)).toHaveCount(0);
}
