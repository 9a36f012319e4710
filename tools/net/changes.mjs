// Makes small changes of product lines, drawn anew each time, and runs the tests that belong to each: `npm run changes`.
// `npm run changes -- 20` makes 20, and `npm run changes -- 60 1234` draws those of the seed 1234 again. Prints the
// verdicts, and writes a table to net-results/. Each missed change is a question: does this line matter?
import "../../bin/node-version.mjs";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runSilently } from "../../scripts/run.mjs";
import { openCopy, restoreBuild, results, runTests, runVitest } from "./copy.mjs";
import { findDatabaseTests, findRouteTests } from "./find-owners.mjs";
import { listChanges } from "./list-changes.mjs";

const count = Number(process.argv[2] ?? 60);
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 32);
console.log(`${count} changes with the seed ${seed}`);

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
  const red = await findRedTest(change, whole).finally(() => writeFileSync(file, whole));
  await copy.removeTemplates();
  const place = `${file}:${whole.slice(0, start).split("\n").length}`;
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
 * @param {import("./list-changes.mjs").Change} change @param {string} whole the file before it
 * @returns {Promise<string | null>} the test that the change turns red; null when all stay green
 */
async function findRedTest({ file, start }, whole) {
  const isSql = file.endsWith(".sql");
  const named = isSql ? findDatabaseTests(whole, start) : [file];
  const words = named.length > 0 ? ["related", ...named] : ["run", "tests/database"];
  // Tests of the build are no use here: it does not contain the change yet. The fast ones, beside the modules, go first.
  const built = ["routes", "fuzz", "abuse", "operations", "durability", "soak", "hosted"];
  for (const skipped of isSql ? [built] : [["."], built]) {
    const exclusions = skipped.map((name) => `--exclude=${join("tests", name)}/**`);
    const { code, failed } = await runVitest([...words, "--run", "--bail=1", "--passWithNoTests", ...exclusions]);
    if (code !== 0) return failed[0]?.name ?? "the run";
  }
  const routeTests = findRouteTests(file);
  if (routeTests.length === 0) return null;
  try {
    if ((await runSilently("npm", ["run", "--silent", "build"])).code !== 0) return "the build";
    const { code, failed } = await runTests([...routeTests], ["--bail=1"]);
    if (code !== 0) return failed[0]?.name ?? "the run";
    if (listScripts() === scripts) return null;
    // Only a journey runs what browsers get.
    const journeys = await runTests(["tests/e2e/.*.spec.ts"]);
    return journeys.code === 0 ? null : (journeys.failed[0]?.name ?? "a journey");
  } finally {
    await restoreBuild();
  }
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
