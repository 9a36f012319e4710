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

/** True in `npm test`, which leaves rare journeys to `npm run verify`. */
const isUsual = process.env["TESTS"] === "usual";

/** Rare journeys: a usual one takes the same way on another page, in another window or with other words. */
const rareJourneys = [
  /removes a member/,
  /a letter, 1280 pixels/,
  /firm's long name/,
  /reply that is sent again/,
  /data rights form keeps its text after Back/,
  /late scripts keep (?:input|corrections)/,
  /sets up a second factor/,
  /first screen shows/,
  /undoes a change/,
  /posts by frames/,
  /every state of the pages passes axe/,
  /a deletion asks/,
  /characters left are shown/,
  /admin replies with/,
  /lists their sessions/,
  /an invited admin/,
  /replaces a forgotten password/,
  /focused control in every window/,
  /changing, closing and withdrawing keep/,
  /sign-out keep to the registry/,
  /a translator, a lost connection/,
  /request by letter|complaint is handled/,
  /paste of /,
  /twenty-one clicks/,
  /of type (?!access)/,
  /under another host/,
  /the line on/,
  /the firm's own pages load/,
  /withdraw(?:s|n) on \/(?!contact)/,
  /a signal on \/(?!contact)/,
  /with (?:Global Privacy Control|Do Not Track) /,
  /registry after (?:Reject All|Close)/,
];

/** Journeys that `npm test` also walks without scripts: a form, a link or a page each. */
const usualWithoutScripts = [
  ...needsNone,
  ...["message", "data-rights", "network", "consent", "no-cookies"].map((name) => `**/${name}.spec.ts`),
];

/** Journeys that `npm test` walks without scripts only. */
const usualOnlyWithout = ["**/no-cookies.spec.ts", "**/e2e/network.spec.ts"];

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
  ...(isUsual ? { grepInvert: rareJourneys } : {}),
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
    {
      name: "with-scripts",
      use: { javaScriptEnabled: true },
      testIgnore: [...needsNone, ...(isUsual ? usualOnlyWithout : [])],
    },
    {
      name: "without-scripts",
      use: { javaScriptEnabled: false },
      testIgnore: needsScripts,
      ...(isUsual ? { testMatch: usualWithoutScripts } : {}),
    },
  ],
});
