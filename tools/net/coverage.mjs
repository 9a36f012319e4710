// Records which product lines and branches the tests run, in their own processes, those of the product and browsers, and
// which SQL functions: `npm run coverage`, or of some tests: `npm run coverage -- tests/routes/consent`. Prints the totals,
// and writes to net-results/ the files with the most lines that never ran, and for `npm run changes` the test files that
// ran each line. Never part of `npm test`: it is slow.
import "../../bin/node-version.mjs";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import { run } from "../../scripts/run.mjs";
import { openCopy, results, testsFile } from "./copy.mjs";
import { readMigrations } from "./find-owners.mjs";

/** @typedef {{ startOffset: number, endOffset: number, count: number }} Range */
/** @typedef {{ path: string, source: string, functions: { ranges: Range[] }[] }} Script */
/** True for each line, or each block of code by its place, that ran. @typedef {Map<string, boolean>} Hits */

const folder = join(results, "coverage");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const commit = execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim();
const { path: copy } = await openCopy();
await run("npx", ["remix", "vite:build", "--logLevel", "error", "--sourcemapServer", "--sourcemapClient"]);
for (const step of ["share-images", "precompress"]) await run(process.execPath, [`scripts/assets/${step}.mjs`]);
const env = { COVERAGE_FOLDER: folder, NODE_OPTIONS: `--import=${join(copy, "tools/net/collect.mjs")}` };
const tests = process.argv.slice(2);
// A process for each test file, so that what runs once, as a module or a shared site starts, counts for each file.
const vitest = ["node_modules/vitest/vitest.mjs", "run", "--isolate", ...tests];
const times = "test-results/coverage.json";
vitest.push("--reporter=default", "--reporter=json", `--outputFile.json=${times}`);
if (tests.length === 0) vitest.push(...["in-process", "durability", "operations"].map((name) => `--project=${name}`));
await run(process.execPath, vitest, env);
if (tests.length === 0) await run(process.execPath, ["scripts/journeys.mjs"], { ...env, TESTS: "usual" });

/** @type {Map<string, { lines: Hits, branches: Hits }>} */
const files = new Map();
/** The test files that ran each line, `file:line`. @type {Map<string, Set<string>>} */
const testsOf = new Map();
/** Functions of the database that were called, with their schemas. @type {Set<string>} */
const called = new Set();
const reports = readdirSync(folder).filter((name) => name.endsWith(".json"));
/** @type {Map<string, ReturnType<typeof createFinder>>} */
const finders = new Map();
for (const name of reports) {
  const report = JSON.parse(readFileSync(join(folder, name), "utf8"));
  if (name.startsWith("sql-")) for (const each of report) called.add(each);
  else for (const script of /** @type {Script[]} */ (report.scripts)) addScript(script, report.test);
}

const rows = [...files].map(([file, { lines, branches }]) => ({ file, lines: sum(lines), branches: sum(branches) }));
rows.sort((a, b) => b.lines.all - b.lines.ran - (a.lines.all - a.lines.ran));
const report = rows.map(
  ({ file, lines, branches }) =>
    `| ${file} | ${lines.all - lines.ran} | ${lines.all} | ${branches.all - branches.ran} | ${branches.all} | ${listMissed(file)} |`,
);
const head =
  "| File | Lines not run | Lines | Branches not run | Branches | Numbers of the lines |\n| - | - | - | - | - | - |";
const definitions = readMigrations().matchAll(/^create (?:or replace )?function ((?:public|private)\.\w+)/gm);
// A later migration may define one again.
const defined = new Set([...definitions].map(([, name = ""]) => name));
const uncalled = [...defined].filter((name) => !called.has(name));
const sql = `SQL functions that PostgreSQL never counted (it counts no inlined ones): ${uncalled.join(", ")}`;
writeFileSync(join(results, "coverage.md"), `${head}\n${report.join("\n")}\n\n${sql}\n`);
for (const kind of /** @type {const} */ (["lines", "branches"])) {
  const [ran, all] = [total(kind, "ran"), total(kind, "all")];
  console.log(`${kind}: ${ran} of ${all} ran (${((100 * ran) / all).toFixed(1)} %), in ${rows.length} files`);
}
console.log(`SQL functions: ${defined.size - uncalled.length} of ${defined.size} called`);
/** @type {{ testResults: { name: string, startTime: number, endTime: number }[] }} */
const { testResults } = JSON.parse(readFileSync(times, "utf8"));
const durations = testResults.map(({ name, startTime, endTime }) => [relative(copy, name), endTime - startTime]);
const places = [...testsOf].map(([place, ran]) => [place, [...ran]]);
const record = { commit, durations: Object.fromEntries(durations), places: Object.fromEntries(places) };
writeFileSync(testsFile, JSON.stringify(record));
// A process that ends late may still write.
rmSync(folder, { recursive: true, maxRetries: 5 });
process.exit();

/** Adds what one process ran of one file. @param {Script} script @param {string} [test] file of the test that ran it */
function addScript({ path, source: key, functions }, test) {
  const source = readFileSync(join(folder, key), "utf8");
  const find = finders.get(key) ?? createFinder(path, source);
  finders.set(key, find);
  const ranges = functions
    .flatMap((each) => each.ranges)
    .toSorted((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  // The innermost range that contains a place tells how often it ran.
  const counts = new Int32Array(source.length);
  for (const { startOffset, endOffset, count } of ranges) counts.fill(count, startOffset, endOffset);
  for (const [index, { file, line }] of find.words) {
    const hasRun = (counts[index] ?? 0) > 0;
    note(hitsOf(file).lines, String(line), hasRun);
    const place = `${file}:${line}`;
    if (hasRun && test) testsOf.set(place, (testsOf.get(place) ?? new Set()).add(test));
  }
  for (const { ranges: blocks } of functions)
    for (const { startOffset, count } of blocks.slice(1)) {
      const place = find.place(startOffset);
      if (place !== null) note(hitsOf(place.file).branches, `${place.line}:${place.column}`, count > 0);
    }
}

/**
 * Finds the places in product files from which compiled code stems: of any offset, and of each word.
 * @param {string} path @param {string} source
 */
function createFinder(path, source) {
  const starts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
  // Vitest appends a line for its cache.
  const [, address] = /^\/\/# sourceMappingURL=(\S+)$/m.exec(source) ?? [];
  const map = address === undefined ? null : new SourceMap(readMap(address, path));
  /** @param {number} offset @returns {{ file: string, line: number, column: number } | null} */
  const place = (offset) => {
    let [line, end] = [0, starts.length];
    while (end - line > 1) {
      const middle = (line + end) >> 1;
      if ((starts[middle] ?? 0) > offset) end = middle;
      else line = middle;
    }
    const column = offset - (starts[line] ?? 0);
    if (map === null) return findPlace(path, line, column);
    const entry = map.findEntry(line, column);
    if (!("originalSource" in entry) || entry.generatedLine !== line) return null;
    const original = entry.originalSource.replace(/^file:\/\//, "");
    // Vite names a source by its file name alone.
    const found = original === basename(path) ? path : resolve(dirname(path), original);
    return findPlace(found, entry.originalLine, entry.originalColumn);
  };
  const words = [...source.matchAll(/[\w$]+/g)].flatMap(({ index }) => {
    const found = place(index);
    return found === null ? [] : [/** @type {const} */ ([index, found])];
  });
  return { place, words };
}

/** @param {string} path @param {number} line @param {number} column from 0 */
function findPlace(path, line, column) {
  const file = relative(copy, path);
  return /^(?:app|bin|supabase)\/(?!.*\.test\.ts)/.test(file) ? { file, line: line + 1, column } : null;
}

/** @param {string} address @param {string} path of the file that names the map */
function readMap(address, path) {
  const [, data] = /^data:[^,]*base64,(.*)$/.exec(address) ?? [];
  const text = data ? Buffer.from(data, "base64").toString() : readFileSync(resolve(dirname(path), address), "utf8");
  return JSON.parse(text);
}

/** @param {string} file */
function hitsOf(file) {
  const hits = files.get(file) ?? { lines: new Map(), branches: new Map() };
  files.set(file, hits);
  return hits;
}

/** @param {Hits} hits @param {string} key @param {boolean} ran */
function note(hits, key, ran) {
  hits.set(key, hits.get(key) === true || ran);
}

/** @param {Hits} hits */
function sum(hits) {
  return { all: hits.size, ran: [...hits.values()].filter(Boolean).length };
}

/** @param {"lines" | "branches"} kind @param {"all" | "ran"} part */
function total(kind, part) {
  return rows.reduce((all, row) => all + row[kind][part], 0);
}

/** @param {string} file @returns {string} at most 30 numbers of lines that never ran */
function listMissed(file) {
  const missed = [...(files.get(file)?.lines ?? [])].filter(([, ran]) => !ran).map(([line]) => Number(line));
  return missed
    .toSorted((a, b) => a - b)
    .slice(0, 30)
    .join(" ");
}
