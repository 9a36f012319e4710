import { type BrowserContext, type Page, expect } from "playwright/test";

/** The cookie banner. */
export const banner = (page: Page) => page.getByRole("region", { name: "Cookies on this site" });

/** The dialog with the switches. */
export const preferences = (page: Page) => page.getByRole("dialog", { name: "Privacy & Cookie Preferences" });

/** Returns the stored decision, e.g. "a=1&m=0 by banner", or null. */
export async function readChoice(context: BrowserContext): Promise<string | null> {
  const cookie = (await context.cookies()).find(({ name }) => name === "cookie-consent");
  if (!cookie) return null;
  const value = new URLSearchParams(cookie.value);
  return `a=${value.get("a")}&m=${value.get("m")} by ${value.get("by")}`;
}

/** Reloads the page and expects no banner in its source. */
export async function expectNoBanner(page: Page) {
  const response = await page.goto(page.url());
  expect(await response?.text()).not.toContain('consent-banner"');
  await expect(banner(page)).toHaveCount(0);
}

/** Answers the banner and waits for the response, which would otherwise set cookies that a test has just cleared. */
export async function answerBanner(page: Page, answer: string): Promise<void> {
  const answered = page.waitForResponse((response) => response.request().method() === "POST");
  await banner(page).getByRole("button", { name: answer }).click();
  await answered;
}
