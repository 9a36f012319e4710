import { availableParallelism } from "node:os";
import { defineConfig } from "playwright/test";
import { findBrowser } from "../scripts/browser.mjs";

/** Journeys that use scripts: the page needs them, or the test measures with its own. */
const needsScripts = [
  "**/with-scripts.spec.ts",
  "**/take-over.spec.ts",
  "**/inbox.spec.ts",
  "**/access.spec.ts",
  "**/contrast.spec.ts",
  "**/site.spec.ts",
];

/** Journeys on pages without scripts, or in browsers that run none: a second run would prove nothing new. */
const needsNone = ["vital-line", "account", "people", "request-life"].map((name) => `**/${name}.spec.ts`);

/** `npm test` runs the projects as two processes, each with its own results. */
const resultsName = process.env["E2E_RESULTS"] ?? "e2e";

/** Journeys of real people in a real browser; each project walks the same ones, without and with scripts. */
export default defineConfig({
  testDir: "e2e",
  outputDir: `../test-results/${resultsName}`,
  // Each has a browser and a product of its own; a machine of two cores has room for two of them.
  workers: Math.max(2, availableParallelism() - 1),
  // A machine that has much else to do takes its time; nothing here is measured by it.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  // The built site is loaded as Node loads it, and not compiled once more.
  build: { external: ["**/build/server/**"] },
  reporter: [["list"], ["json", { outputFile: `../test-results/${resultsName}.json` }]],
  use: {
    launchOptions: {
      ...findBrowser(),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  // The longer first: what is left in the end is short, and neither worker waits for the other.
  projects: [
    { name: "with-scripts", use: { javaScriptEnabled: true }, testIgnore: needsNone },
    { name: "without-scripts", use: { javaScriptEnabled: false }, testIgnore: needsScripts },
  ],
});
