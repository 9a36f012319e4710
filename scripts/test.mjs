// Runs the tests on the production build: those of `npm test`, or with TESTS=all everything (`npm run verify`). The output
// ends with the name of each failed test and the numbers of passed and failed tests; the exit code agrees.
import "../bin/node-version.mjs";
import { mkdirSync, rmSync } from "node:fs";
import { ensureBrowser } from "./browser.mjs";
import { run, runNpmScript, runSilently } from "./run.mjs";
import { ensureSiteTemplate } from "./site-template.mjs";
import { readJourneys, readVitest } from "./test-report.mjs";

rmSync("test-results", { recursive: true, force: true });
mkdirSync("test-results");
await Promise.all([ensureBrowser(), runNpmScript("build"), ensureSiteTemplate()]);
// One browser at a time runs next to Vitest, because each uses the other's waiting times.
const journeysRun = runJourneys();
const runs = [await runVitest("vitest", ["in-process", "durability", "operations"])];
runs.push(await journeysRun);
// These run last and one file at a time, because they measure the cost of an attack for other visitors.
if (process.env.TESTS === "all")
  runs.push(await runVitest("alone", ["abuse", "soak", "hosted"], ["--no-file-parallelism"]));

const failed = runs.flatMap((result) => result.failed);
const passed = runs.reduce((sum, result) => sum + result.passed, 0);
if (failed.length > 0) console.log(`\nFailed:\n${failed.map(describe).join("\n")}`);
// A runner that crashed before it counted has failed too.
const failures = Math.max(failed.length, runs.some(({ code }) => code !== 0) ? 1 : 0);
console.log(`\n${passed} passed, ${failures} failed`);
process.exit(failures === 0 ? 0 : 1);

/** @typedef {import("./test-report.mjs").Report & { code: number }} Results of one runner */

/** @param {string} name of the results @param {string[]} projects @param {string[]} more @returns {Promise<Results>} */
async function runVitest(name, projects, more = []) {
  const file = `test-results/${name}.json`;
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const options = projects.map((project) => `--project=${project}`);
  const code = await run("npx", ["vitest", "run", ...options, ...reporters, ...more]);
  return { ...readVitest(file), code };
}

/** @returns {Promise<Results>} */
async function runJourneys() {
  const { code, output } = await runSilently(process.execPath, ["scripts/journeys.mjs", "--workers=1"]);
  console.log(output);
  return { ...readJourneys("test-results/e2e.json"), code };
}

/** @param {import("./test-report.mjs").FailedTest} test */
function describe({ name, reason, printed }) {
  return `${name}: ${reason}${printed ? `\n${printed}` : ""}`;
}
