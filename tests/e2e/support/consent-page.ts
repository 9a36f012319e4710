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

/** Opens the preferences from the footer. Where the button cannot open them, a link does. */
export async function openPreferences(page: Page): Promise<void> {
  const name = "Cookie preferences";
  const opener = page.getByRole("button", { name, exact: true }).or(page.getByRole("link", { name, exact: true }));
  await opener.first().click();
  await expect(preferences(page)).toBeVisible();
}

/** Answers the banner and waits for the response, which would otherwise set cookies that a test has just cleared. */
export async function answerBanner(page: Page, answer: string): Promise<void> {
  const answered = page.waitForResponse((response) => response.request().method() === "POST");
  await banner(page).getByRole("button", { name: answer }).click();
  await answered;
  await expect(banner(page)).toBeHidden();
}
