import { type Page, expect } from "playwright/test";
import { test as base, hasFailed } from "./worker";

const expectedMessages = [
  // Required on the not-found page (REQUIREMENTS 2.10).
  "404 Error: page not found",
  // Chromium reports every 4xx and 5xx response as an error; the tests request some on purpose.
  "Failed to load resource",
  // The side menu's fallback for browsers without `commandfor`; browsers with it log that they ignore the fallback.
  "popovertarget is ignored on elements with commandfor",
];

/** Uses the product that a worker's journeys share, and fails a test when its page reports an error. */
export const test = base.extend<{ failOnPageErrors: void }>({
  baseURL: async ({ product }, provide) => provide(product.url),
  failOnPageErrors: [
    async ({ page }, provide) => {
      const problems: string[] = [];
      page.on("pageerror", (error) => problems.push(error.message));
      page.on("console", (message) => {
        const isProblem = ["error", "warning"].includes(message.type());
        if (isProblem && !expectedMessages.some((words) => message.text().startsWith(words))) {
          problems.push(message.text());
        }
      });
      await provide();
      if (hasFailed(test.info())) await printText(page);
      expect(problems).toEqual([]);
    },
    { auto: true },
  ],
});

/** Prints what the visitor reads, which a failed expectation does not tell. */
async function printText(page: Page): Promise<void> {
  const text = await page.locator("main").innerText({ timeout: 5_000 }).catch(String);
  console.log(`${page.url()}\n${text.slice(0, 600)}`);
}

export { expect };
