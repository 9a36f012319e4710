// Runs all tests on the production build: builds, then runs all of Vitest and all browser journeys. The output ends
// with the name of each failed test and the numbers of passed and failed tests; the exit code agrees.
//
// Most tests run beside others, and on a busy machine one may run out of time. The files of a few failed tests
// therefore run once more, alone. The output names the tests that pass only then, so that their cause can be mended.
import "../bin/node-version.mjs";
import { mkdirSync, rmSync } from "node:fs";
import { ensureBrowser } from "./browser.mjs";
import { run, runNpmScript, runSilently } from "./run.mjs";
import { ensureSiteTemplate } from "./site-template.mjs";
import { readJourneys, readVitest } from "./test-report.mjs";

/** More failed files than this have another cause than a busy machine. */
const maxRepeatedFiles = 5;

rmSync("test-results", { recursive: true, force: true });
mkdirSync("test-results");
await Promise.all([ensureBrowser(), runNpmScript("build"), ensureSiteTemplate()]);
// One browser at a time runs next to Vitest, because each uses the other's waiting times.
const journeysRun = runJourneys();
// All projects of vitest.config.ts but `abuse`, which runs last, and `soak`, which `npm run fuzz` adds.
const vitest = await runVitest("vitest", ["in-process", "durability", "operations"]);
const journeys = await journeysRun;
console.log(journeys.output);
// These run last and one file at a time, because they measure the cost of an attack for other visitors.
const abuse = await runVitest("abuse", ["abuse"], ["--no-file-parallelism"]);

const runs = [vitest, journeys, abuse];
const suspects = runs.map(({ failed }) => [...new Set(failed.map(({ file }) => file))]);
if (suspects.flat().length <= maxRepeatedFiles) {
  for (const [index, files] of suspects.entries()) {
    const first = runs[index];
    if (first === undefined || files.length === 0) continue;
    console.log(`\nAgain, alone: ${files.join(", ")}`);
    const second = await first.repeat(files);
    const recovered = first.failed.filter(({ name }) => !second.failed.some((test) => test.name === name));
    if (recovered.length > 0) console.log(`\nPassed only alone:\n${recovered.map(describe).join("\n")}`);
    runs[index] = { ...second, passed: first.passed + recovered.length };
  }
}

const failed = runs.flatMap((result) => result.failed);
const passed = runs.reduce((sum, result) => sum + result.passed, 0);
if (failed.length > 0) console.log(`\nFailed:\n${failed.map(describe).join("\n")}`);
// A runner that crashed before it counted has failed too.
const failures = Math.max(failed.length, runs.some(({ code }) => code !== 0) ? 1 : 0);
console.log(`\n${passed} passed, ${failures} failed`);
process.exit(failures === 0 ? 0 : 1);

/**
 * Results of one runner. `repeat` runs some files again, one at a time.
 * @typedef {import("./test-report.mjs").Report & { code: number, output: string, repeat: (files: string[]) =>
 * Promise<Results> }} Results
 */

/** @param {string} name of the results @param {string[]} projects @param {string[]} more @returns {Promise<Results>} */
async function runVitest(name, projects, more = []) {
  const file = `test-results/${name}.json`;
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const options = projects.map((project) => `--project=${project}`);
  const code = await run("npx", ["vitest", "run", ...options, ...reporters, ...more]);
  const repeat = (/** @type {string[]} */ files) =>
    runVitest(`${name}-alone`, projects, ["--no-file-parallelism", ...files]);
  return { ...readVitest(file), code, output: "", repeat };
}

/** @param {string[]} specs all, if empty @returns {Promise<Results>} */
async function runJourneys(specs = []) {
  const name = specs.length === 0 ? "e2e" : "e2e-alone";
  const words = ["scripts/journeys.mjs", "--workers=1", ...specs];
  const { code, output } = await runSilently(process.execPath, words, { E2E_RESULTS: name });
  return { ...readJourneys(`test-results/${name}.json`), code, output, repeat: runJourneys };
}

/** @param {import("./test-report.mjs").FailedTest} test */
function describe({ name, reason, printed }) {
  return `${name}: ${reason}${printed ? `\n${printed}` : ""}`;
}
