// Everything that is proved, on what is really shipped: builds, then runs all of Vitest and all browser journeys.
// The last line counts what passed and failed; the exit code says the same.
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { ensureBrowser } from "./browser.mjs";
import { run, runNpmScript } from "./run.mjs";

const results = { vitest: "test-results/vitest.json", e2e: "test-results/e2e.json" };

await ensureBrowser();
rmSync("test-results", { recursive: true, force: true });
mkdirSync("test-results");
await runNpmScript("build");
const codes = [
  await run("npx", [
    "vitest",
    "run",
    "--project=!fuzz",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${results.vitest}`,
  ]),
  await run(process.execPath, ["scripts/journeys.mjs"]),
];
const vitest = countVitest();
const e2e = countPlaywright();
const passed = vitest.passed + e2e.passed;
// A runner that broke before it could count has failed all the same.
const failed = Math.max(vitest.failed + e2e.failed, codes.some((code) => code !== 0) ? 1 : 0);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

function countVitest() {
  const report = read(results.vitest);
  return { passed: report.numPassedTests ?? 0, failed: report.numFailedTests ?? 0 };
}

function countPlaywright() {
  const { stats = {} } = read(results.e2e);
  return { passed: stats.expected ?? 0, failed: (stats.unexpected ?? 0) + (stats.flaky ?? 0) };
}

/** @param {string} path */
function read(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return {};
  }
}
