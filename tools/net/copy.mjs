import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { cp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { runSilently } from "../../scripts/run.mjs";
import { ensureSiteTemplate } from "../../scripts/site-template.mjs";
import { readJourneys, readVitest } from "../../scripts/test-report.mjs";

/** Folder of the reports, which Git ignores. */
export const results = resolve("net-results");

/** Says which test files run each line: `npm run coverage` writes it. */
export const testsFile = join(results, "tests.json");

const root = process.cwd();
const templates = join(root, "node_modules/.cache/advisory-website");

/**
 * Copies the files of this repository to a temporary folder and makes it the current one, so that a fault never touches
 * the files that somebody works on. The copy shares the installed packages and has its own build.
 * @returns its path; `close` removes it, as does the end of this process
 */
export async function openCopy() {
  mkdirSync(results, { recursive: true });
  await ensureSiteTemplate();
  const kept = await readdir(templates);
  const copy = mkdtempSync(join(tmpdir(), "advisory-net-"));
  process.once("exit", () => rmSync(copy, { recursive: true, force: true }));
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => (isStopped = true));
  const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    encoding: "utf8",
  });
  for (const file of new Set(files.split("\0"))) if (file !== "" && existsSync(file)) await cp(file, join(copy, file));
  for (const folder of ["node_modules", "tests/node_modules", "tools/node_modules"])
    if (existsSync(folder)) await symlink(resolve(folder), join(copy, folder));
  process.chdir(copy);
  await restoreBuild();
  // Some tests ask Git for the files or the commit.
  const identity = ["-c", "user.name=net", "-c", "user.email=net@localhost"];
  for (const words of [["init"], ["add", "."], [...identity, "commit", "--message=copy"]])
    execFileSync("git", words, { stdio: "ignore" });
  return {
    path: copy,
    /** Removes the site templates of faulty migrations, which no later run asks for. */
    async removeTemplates() {
      for (const name of await readdir(templates))
        if (!kept.includes(name)) await rm(join(templates, name), { recursive: true, force: true });
    },
  };
}

/** Puts the repository's build into the copy. */
export async function restoreBuild() {
  await rm("build", { recursive: true, force: true });
  await cp(join(root, "build"), "build", { recursive: true });
}

/** Returns true if a test runs the build and not the sources. */
export function runsBuild(/** @type {string} */ test) {
  return /^tests\/(?!database|embedded|functions|unit)/.test(test);
}

/** @typedef {import("../../scripts/test-report.mjs").Report & { code: number, output: string }} Ran */

/** Milliseconds. A fault can make a loop endless, which no time limit of a test ends. */
const hangMs = 10 * 60_000;

/** Someone ended this process; the current test still ends, so that none writes to a removed copy. */
let isStopped = false;

const report = "test-results/net.json";
const journeysReport = "test-results/e2e.json";

/**
 * Runs test files in the current folder, alone.
 * @param {string[]} files test files of Vitest, or journeys
 * @param {string[]} more options of Vitest
 * @returns {Promise<Ran>}
 */
export async function runTests(files, more = []) {
  if (!files[0]?.endsWith(".spec.ts")) return runVitest(["run", ...files, ...more]);
  await rm(journeysReport, { force: true });
  const ran = await runSilently(process.execPath, ["scripts/journeys.mjs", ...files]);
  if (isStopped) throw new Error("Stopped.");
  return { ...readJourneys(journeysReport), ...ran };
}

/** @param {string[]} words after `vitest` @returns {Promise<Ran>} */
export async function runVitest(words) {
  await rm(report, { force: true });
  const options = ["--reporter=json", `--outputFile=${report}`];
  const ran = await runSilently(process.execPath, ["node_modules/vitest/vitest.mjs", ...words, ...options], {}, hangMs);
  if (isStopped) throw new Error("Stopped.");
  return { ...readVitest(report), ...ran };
}
