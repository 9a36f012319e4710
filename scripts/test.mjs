// Everything that is proved, on what is really shipped: builds, then runs all of Vitest and all browser journeys.
// At the end stands each failed test by name, however long ago it was, and in the last line how many passed and failed; the exit
// code says the same.
import "../bin/node-version.mjs";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { ensureBrowser } from "./browser.mjs";
import { run, runNpmScript, runSilently } from "./run.mjs";
import { ensureSiteTemplate } from "./site-template.mjs";

/** All of vitest.config.ts but `abuse`, which comes later, and `soak`, which `npm run fuzz` adds. */
const projects = ["in-process", "durability", "operations"];
const results = {
  vitest: "test-results/vitest.json",
  abuse: "test-results/abuse.json",
  withScripts: "test-results/e2e-with-scripts.json",
  withoutScripts: "test-results/e2e-without-scripts.json",
};

rmSync("test-results", { recursive: true, force: true });
mkdirSync("test-results");
await Promise.all([ensureBrowser(), runNpmScript("build"), ensureSiteTemplate()]);
// Both wait for something now and then, so that one fills the other's pauses: one browser goes along with Vitest. The rest of the
// journeys follow on the core that Vitest leaves.
const withScripts = runJourneys("with-scripts");
const vitest = await runVitest(
  results.vitest,
  projects.map((project) => `--project=${project}`),
);
const journeys = await Promise.all([withScripts, runJourneys("without-scripts")]);
for (const { output } of journeys) console.log(output);
const codes = [
  vitest,
  ...journeys.map(({ code }) => code),
  // Last and one file after the other, since these measure what an attack costs everybody else.
  await runVitest(results.abuse, ["--project=abuse", "--no-file-parallelism"]),
];
const failedTests = [...listFailed(results.vitest), ...listFailed(results.abuse)];
if (failedTests.length > 0) console.log(`\nFailed:\n${failedTests.join("\n")}`);
const counts = [
  countVitest(results.vitest),
  countPlaywright(results.withScripts),
  countPlaywright(results.withoutScripts),
  countVitest(results.abuse),
];
const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failures = counts.reduce((sum, count) => sum + count.failed, 0);
// A runner that broke before it could count has failed all the same.
const failed = Math.max(failures, codes.some((code) => code !== 0) ? 1 : 0);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** @param {"with-scripts" | "without-scripts"} project */
function runJourneys(project) {
  const options = [`--project=${project}`, "--workers=1"];
  return runSilently(process.execPath, ["scripts/journeys.mjs", ...options], { E2E_RESULTS: `e2e-${project}` });
}

/** @param {string} file @param {string[]} options @returns {Promise<number>} exit code */
function runVitest(file, options) {
  return run("npx", [
    "vitest",
    "run",
    ...options,
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${file}`,
  ]);
}

/**
 * @param {string} file
 * @returns {string[]} file, name and first line of the message of each; of a file that broke as a whole its message
 */
function listFailed(file) {
  const files = read(file).testResults ?? [];
  return files.flatMap((/** @type {VitestFile} */ { name, message, assertionResults }) => {
    const where = relative(process.cwd(), name);
    if (message) return [`${where}: ${firstLine(message)}`];
    return assertionResults
      .filter(({ status }) => status === "failed")
      .map(({ fullName, failureMessages }) => `${where}: ${fullName}: ${firstLine(failureMessages[0])}`);
  });
}

/**
 * @typedef {object} VitestFile
 * @property {string} name
 * @property {string} message
 * @property {{ status: string, fullName: string, failureMessages: string[] }[]} assertionResults
 */

/** @param {string | undefined} message */
function firstLine(message = "") {
  return stripVTControlCharacters(message.split("\n")[0] ?? "");
}

/** @param {string} file */
function countVitest(file) {
  const report = read(file);
  return { passed: report.numPassedTests ?? 0, failed: report.numFailedTests ?? 0 };
}

/** @param {string} file */
function countPlaywright(file) {
  const { stats = {} } = read(file);
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
