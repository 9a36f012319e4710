// Reads the JSON reports of Vitest and Playwright.
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";

/**
 * A failed test. `name` is unique in the report, `reason` is the first line of its error, `printed` its output.
 * @typedef {{ file: string, name: string, reason: string, printed?: string }} FailedTest
 */

/** @typedef {{ passed: number, failed: FailedTest[] }} Report */

/** @param {string} path of Vitest's report @returns {Report} a broken file counts as one failed test */
export function readVitest(path) {
  const { testResults = [], numPassedTests: passed = 0 } = read(path);
  const failed = testResults.flatMap((/** @type {VitestFile} */ { name, message, assertionResults }) => {
    const file = relative(process.cwd(), name);
    if (message) return [{ file, name: file, reason: firstLine(message) }];
    return assertionResults
      .filter(({ status }) => status === "failed")
      .map(({ fullName, failureMessages }) => ({
        file,
        name: `${file}: ${fullName}`,
        reason: firstLine(failureMessages[0]),
      }));
  });
  return { passed, failed };
}

/**
 * @typedef {object} VitestFile
 * @property {string} name
 * @property {string} message
 * @property {{ status: string, fullName: string, failureMessages: string[] }[]} assertionResults
 */

/** @param {string} path of Playwright's report @returns {Report} */
export function readJourneys(path) {
  const { suites, stats } = read(path);
  return { passed: stats?.expected ?? 0, failed: listFailed(suites) };
}

/** @param {JourneySuite[]} [suites] @returns {FailedTest[]} */
function listFailed(suites = []) {
  return suites.flatMap(({ suites: inner, specs }) => [
    ...specs.flatMap(({ file, title, tests }) =>
      tests
        .filter(({ status }) => status === "unexpected")
        .flatMap(({ projectName, results }) =>
          results.map(({ error, stdout }) => ({
            file,
            name: `${projectName}: ${file}: ${title}`,
            reason: firstLine(error?.message),
            printed: stdout.map(({ text }) => text).join(""),
          })),
        ),
    ),
    ...listFailed(inner),
  ]);
}

/**
 * @typedef {object} JourneySuite
 * @property {JourneySuite[]} [suites]
 * @property {JourneySpec[]} specs
 */

/**
 * @typedef {object} JourneySpec
 * @property {string} file
 * @property {string} title
 * @property {{ projectName: string, status: string, results: JourneyRun[] }[]} tests
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

/** @param {string} path */
function read(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return {};
  }
}
