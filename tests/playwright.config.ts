import { availableParallelism } from "node:os";
import { defineConfig } from "playwright/test";
import { findBrowser } from "../scripts/browser.mjs";

/** Journeys that use scripts: the page needs them, or the test measures with its own. */
const needsScripts = listFiles(
  "access",
  "admin-network",
  "analytics-cookies",
  "contrast",
  "cookie-registry",
  "first-touch",
  "inbox",
  "own-words",
  "prefetch",
  "second-factor",
  "site",
  "take-over",
  "triage",
  "with-scripts",
);

/** Journeys on pages without scripts, or in browsers that run none: a second run would prove nothing new. */
const needsNone = listFiles(
  "account",
  "long-name",
  "menu",
  "null-origin",
  "people",
  "preferences-opener",
  "request-life",
  "vital-line",
);

/** True in `npm test`, which leaves rare journeys to `npm run verify`. */
const isUsual = process.env["TESTS"] === "usual";

/** Rare journeys: a usual one takes the same way on another page, in another window or with other words. */
const rareJourneys = [
  /removes a member/,
  /firm's long name/,
  /late scripts keep (?:input|corrections)/,
  /sets up a second factor/,
  /first screen shows/,
  /undoes a change/,
  /characters left are shown/,
  /lists their sessions/,
  /an invited admin/,
  /replaces a forgotten password/,
  /in every window/,
  /sign-out keep to the registry/,
  /a translator, a lost connection/,
  /of type (?!rectification)/,
  /under another host/,
  /the line on/,
  /withdraw(?:s|n) on \/(?!contact)/,
  /registry after Reject/,
];

/** Journeys that `npm test` walks without scripts only: with them, `with-scripts.spec.ts` has what differs. */
const usualOnlyWithout = listFiles("data-rights", "network", "back", "no-cookies");

/** Journeys that `npm test` walks without scripts: a form, a link or a page each. */
const usualWithoutScripts = [...needsNone, ...usualOnlyWithout, ...listFiles("message", "consent")];

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

/** Returns the patterns of journeys by name. */
function listFiles(...names: string[]): string[] {
  return names.map((name) => `**/${name}.spec.ts`);
}
