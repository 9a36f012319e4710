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

/** Journeys that `npm test` also walks without scripts: a form, a link or a page each. `npm run verify` walks all. */
const usualWithoutScripts = [
  ...needsNone,
  ...["message", "data-rights", "network", "second-factor", "consent", "back", "no-cookies"].map(
    (name) => `**/${name}.spec.ts`,
  ),
];

/** Journeys of real people in a real browser; each project walks the same ones, without and with scripts. */
export default defineConfig({
  testDir: "e2e",
  outputDir: "../test-results/e2e",
  // Each worker has its own browser and product; two cores have room for two.
  workers: Math.max(2, availableParallelism() - 1),
  // Long, because a busy machine is slow and nothing here measures time.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  // Node loads the built site as it is, without compiling it again.
  build: { external: ["**/build/server/**"] },
  reporter: [["list"], ["json", { outputFile: "../test-results/e2e.json" }]],
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
  projects: [
    { name: "with-scripts", use: { javaScriptEnabled: true }, testIgnore: needsNone },
    {
      name: "without-scripts",
      use: { javaScriptEnabled: false },
      testIgnore: needsScripts,
      ...(process.env["TESTS"] === "usual" ? { testMatch: usualWithoutScripts } : {}),
    },
  ],
});
