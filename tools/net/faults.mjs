// Applies each fault of faults.json to a copy of the repository, one at a time, and runs the test that owns it:
// `npm run faults`, or some: `npm run faults -- A6 D1`. Prints the faults that no test catches, and writes a table to
// net-results/. Run it before and after tests are deleted: a fault must not change from caught to missed.
import "../../bin/node-version.mjs";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runSilently } from "../../scripts/run.mjs";
import { openCopy, restoreBuild, results, runTests, runsBuild } from "./copy.mjs";

/**
 * A fault: `text` occurs once in the file. `owner` is the test that must fail when `replacement` stands there.
 * @typedef {{ id: string, fact: string, file: string, text: string, replacement: string, owner: string }} Fault
 */

/** @type {Fault[]} */
const faults = JSON.parse(readFileSync(new URL("faults.json", import.meta.url), "utf8"));
const ids = process.argv.slice(2);
const chosen = faults.filter(({ id }) => ids.length === 0 || ids.includes(id));

const misplaced = chosen.filter(({ file, text }) => readFileSync(file, "utf8").split(text).length !== 2);
if (misplaced.length > 0 || chosen.length === 0) {
  console.error(`Not exactly once in its file: ${misplaced.map(({ id }) => id).join(", ") || ids.join(", ")}`);
  process.exit(1);
}

const copy = await openCopy();
const owners = [...new Set(chosen.map(({ owner }) => owner))];
for (const files of [owners.filter((file) => !isJourney(file)), owners.filter(isJourney)]) {
  const { code, failed, output } = files.length > 0 ? await runTests(files) : { code: 0, failed: [], output: "" };
  if (code === 0) continue;
  console.error(`Fails without a fault:\n${failed.map(({ name }) => name).join("\n") || output}`);
  process.exit(1);
}

const rows = [];
for (const fault of chosen) {
  const verdict = await tryFault(fault);
  rows.push({ ...fault, verdict });
  console.log(`${fault.id.padEnd(4)} ${verdict.padEnd(6)} ${fault.fact} (${fault.owner})`);
}
const lines = rows.map(({ id, verdict, fact, file, owner }) => `| ${id} | ${verdict} | ${fact} | ${file} | ${owner} |`);
const head = ["| Fault | Verdict | Fact | File | Owner |", "| --- | --- | --- | --- | --- |"];
writeFileSync(join(results, "faults.md"), `${[...head, ...lines].join("\n")}\n`);
const open = rows.filter(({ verdict }) => verdict !== "caught");
console.log(`\n${rows.length - open.length} of ${rows.length} faults caught.`);
process.exit(open.length === 0 ? 0 : 1);

/**
 * @param {Fault} fault
 * @returns {Promise<string>} caught; missed; or broken, if no test failed but the run did: the fault or its owner then needs
 *   another form
 */
async function tryFault({ file, text, replacement, owner }) {
  const whole = readFileSync(file, "utf8");
  writeFileSync(
    file,
    whole.replace(text, () => replacement),
  );
  try {
    if (runsBuild(owner) && (await runSilently("npm", ["run", "--silent", "build"])).code !== 0) return "broken";
    const { code, failed } = await runTests([owner], ["--bail=1"]);
    if (code === 0) return "missed";
    return failed.some(({ name }) => name !== owner) ? "caught" : "broken";
  } finally {
    writeFileSync(file, whole);
    if (runsBuild(owner)) await restoreBuild();
    await copy.removeTemplates();
  }
}

/** @param {string} file */
function isJourney(file) {
  return file.endsWith(".spec.ts");
}
