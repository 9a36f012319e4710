// Makes small changes of product lines, drawn anew each time, and runs the tests that ran each line when `npm run coverage`
// recorded it: `npm run changes`. `npm run changes -- 20` makes 20, and `npm run changes -- 60 1234` draws those of the
// seed 1234 again. Prints the verdicts, and writes a table to net-results/. Each missed change is a question: does this
// line matter?
import "../../bin/node-version.mjs";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runSilently } from "../../scripts/run.mjs";
import { openCopy, restoreBuild, results, runTests, runVitest, runsBuild, testsFile } from "./copy.mjs";
import { findDatabaseTests, findTests, listNewerFiles } from "./find-owners.mjs";
import { listChanges } from "./list-changes.mjs";

const count = Number(process.argv[2] ?? 60);
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 32);
console.log(`${count} changes with the seed ${seed}`);

if (!existsSync(testsFile)) {
  console.error("No record says which tests run a line: run `npm run coverage` first.");
  process.exit(1);
}

const newer = listNewerFiles();
if (newer.length > 0) console.warn(`Changed since the record, so verdicts may be wrong: ${newer.join(", ")}`);

/** Test files of a first run, and of a second: a line that hundreds run is not the fact of each. */
const [few, most] = [10, 40];

const folders = ["app", "bin", "supabase/functions", "supabase/embedded", "supabase/migrations"];
const files = execFileSync("git", ["ls-files", ...folders], { encoding: "utf8" })
  .split("\n")
  .filter((file) => /\.(?:tsx?|mjs|sql)$/.test(file) && !/\.test\.ts$|\.deno\.ts$/.test(file));
const changes = files.flatMap((file) => listChanges(file, readFileSync(file, "utf8")));

const copy = await openCopy();
/** Names of the scripts that browsers get; each has a digest of its content. */
const listScripts = () => readdirSync("build/client/assets").toSorted().join("\n");
const scripts = listScripts();
const draw = createRandom(seed);
const rows = [];
while (rows.length < count) {
  const [change] = changes.splice(Math.floor(draw() * changes.length), 1);
  if (change === undefined) break;
  const { file, kind, start, text, replacement } = change;
  const whole = readFileSync(file, "utf8");
  writeFileSync(file, whole.slice(0, start) + replacement + whole.slice(start + text.length));
  const place = `${file}:${whole.slice(0, start).split("\n").length}`;
  const named = file.endsWith(".sql") ? findDatabaseTests(whole, start) : null;
  const red = await (named ? findRedSql(named) : findRedTest(place)).finally(() => writeFileSync(file, whole));
  await copy.removeTemplates();
  const words = text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|").slice(0, 80);
  rows.push([red === null ? "missed" : "caught", kind, place, `\`${words}\``, red ?? ""]);
  console.log(`${red === null ? "missed" : "caught"}  ${kind}: ${place} ${red ?? words}`);
  const head = ["Verdict", "Change", "Place", "Text", "Red test"];
  const table = [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`);
  writeFileSync(join(results, "changes.md"), `Seed ${seed}\n\n${table.join("\n")}\n`);
}
const caught = rows.filter(([verdict]) => verdict === "caught").length;
console.log(`\n${caught} of ${rows.length} changes caught, with the seed ${seed}.`);

/**
 * Runs the tests that name the changed object, then, as others may run it without its name, all of the database.
 * @param {string[]} named @returns {Promise<string | null>}
 */
async function findRedSql(named) {
  // Tests of the build run the database as well, but what it decides is proved below them.
  const above = ["routes", "fuzz", "abuse", "operations", "durability", "soak", "hosted"];
  const options = ["--run", "--bail=1", ...above.map((name) => `--exclude=tests/${name}/**`)];
  const red = named.length === 0 ? null : await findRed(runVitest(["related", ...named, ...options]));
  return red ?? findRed(runVitest(["run", "tests/database", "tests/functions", ...options]));
}

/** @param {string} place `file:line` @returns {Promise<string | null>} the test that its change turns red, if any does */
async function findRedTest(place) {
  const tests = findTests(place);
  const [own, built] = [tests.filter((test) => !runsBuild(test)), tests.filter((test) => runsBuild(test))];
  const journeys = built.filter((test) => test.endsWith(".spec.ts"));
  const red = await findRedAmong(own);
  if (red !== null || built.length === 0) return red;
  try {
    if ((await runSilently("npm", ["run", "--silent", "build"])).code !== 0) return "the build";
    const inBuild = await findRedAmong(built.filter((test) => !journeys.includes(test)));
    // Only a journey runs what browsers get.
    if (inBuild !== null || journeys.length === 0 || listScripts() === scripts) return inBuild;
    return await findRed(runTests(journeys));
  } finally {
    await restoreBuild();
  }
}

/** Runs the owners first. @param {string[]} tests */
async function findRedAmong(tests) {
  for (const some of [tests.slice(0, few), tests.slice(few, most)]) {
    const red = some.length === 0 ? null : await findRed(runTests(some, ["--bail=1"]));
    if (red !== null) return red;
  }
  return null;
}

/** @param {Promise<import("./copy.mjs").Ran>} run */
async function findRed(run) {
  const { code, failed } = await run;
  return code === 0 ? null : (failed[0]?.name ?? "the run");
}

/** @param {number} state @returns {() => number} pseudorandom numbers from 0 to 1 (mulberry32) */
function createRandom(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
