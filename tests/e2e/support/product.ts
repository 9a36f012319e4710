import { expect } from "playwright/test";
import { test as base } from "./worker";

const expectedComplaints = [
  // Required on the not-found page (REQUIREMENTS 2.10).
  "404 Error: page not found",
  // Chromium reports every 4xx and 5xx answer as an error; those are the answers we test.
  "Failed to load resource",
  // The side menu's way for browsers that do not know `commandfor` yet; those that do say that they pass it over.
  "popovertarget is ignored on elements with commandfor",
];

/** The product that all journeys of a worker share, and a page that complains about any error of its own. */
export const test = base.extend<{ quietPage: void }>({
  baseURL: async ({ product }, provide) => provide(product.url),
  quietPage: [
    async ({ page }, provide) => {
      const complaints: string[] = [];
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (message) => {
        const isComplaint = ["error", "warning"].includes(message.type());
        if (isComplaint && !expectedComplaints.some((words) => message.text().startsWith(words))) {
          complaints.push(message.text());
        }
      });
      await provide();
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
