import { test as base, expect } from "@playwright/test";
import { type Product, startProduct } from "../support/product";

/** One running product for all journeys of a worker, and a page that complains about any error of its own. */
export const test = base.extend<{ quietPage: void }, { product: Product }>({
  product: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, provide) => {
      const product = await startProduct();
      await provide(product);
      await product.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  baseURL: async ({ product }, provide) => provide(product.url),
  quietPage: [
    async ({ page }, provide) => {
      const complaints: string[] = [];
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (message) => {
        // Chromium reports every 4xx and 5xx answer as an error; those are the answers we test.
        const isAnswer = message.text().startsWith("Failed to load resource");
        if (["error", "warning"].includes(message.type()) && !isAnswer) complaints.push(message.text());
      });
      await provide();
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
