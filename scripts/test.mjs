// Runs all tests on the production build: builds, then runs all of Vitest and all browser journeys. The output ends
// with the name of each failed test and the numbers of passed and failed tests; the exit code agrees.
import "../bin/node-version.mjs";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { ensureBrowser } from "./browser.mjs";
import { run, runNpmScript, runSilently } from "./run.mjs";
import { ensureSiteTemplate } from "./site-template.mjs";

/** All projects of vitest.config.ts but `abuse`, which runs last, and `soak`, which `npm run fuzz` adds. */
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
// One browser runs next to Vitest, because each uses the other's waiting times. The other journeys follow on the core
// that Vitest leaves free.
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
  // These run last and one file at a time, because they measure the cost of an attack for other visitors.
  await runVitest(results.abuse, ["--project=abuse", "--no-file-parallelism"]),
];
const failedTests = [
  ...listFailed(results.vitest),
  ...listFailed(results.abuse),
  ...listFailedJourneys(read(results.withScripts).suites),
  ...listFailedJourneys(read(results.withoutScripts).suites),
];
if (failedTests.length > 0) console.log(`\nFailed:\n${failedTests.join("\n")}`);
const counts = [
  countVitest(results.vitest),
  countPlaywright(results.withScripts),
  countPlaywright(results.withoutScripts),
  countVitest(results.abuse),
];
const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failures = counts.reduce((sum, count) => sum + count.failed, 0);
// A runner that crashed before it counted has failed too.
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
 * @returns {string[]} file, name and first line of the message of each failed test; only the message for a broken file
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

/**
 * @param {JourneySuite[]} [suites]
 * @returns {string[]} project, file and name of each failed journey, its error's first line, and what it printed
 */
function listFailedJourneys(suites = []) {
  return suites.flatMap(({ suites: inner, specs }) => [
    ...specs
      .filter(({ ok }) => !ok)
      .flatMap(({ file, title, tests }) =>
        tests.flatMap(({ projectName, results: runs }) =>
          runs.map(({ error, stdout }) => {
            const printed = stdout.map(({ text }) => text).join("");
            return `${projectName}: ${file}: ${title}: ${firstLine(error?.message)}\n${printed}`;
          }),
        ),
      ),
    ...listFailedJourneys(inner),
  ]);
}

/**
 * @typedef {object} JourneySuite
 * @property {JourneySuite[]} [suites]
 * @property {JourneySpec[]} specs
 */

/**
 * @typedef {object} JourneySpec
 * @property {boolean} ok
 * @property {string} file
 * @property {string} title
 * @property {{ projectName: string, results: JourneyRun[] }[]} tests
 */

/**
 * @typedef {object} JourneyRun
 * @property {{ message: string }} [error]
 * @property {{ text?: string }[]} stdout
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
