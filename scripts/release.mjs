// Prepares a release: `npm run release` checks, dates the changelog's section, sets the version in package.json, writes
// the digests of the migrations, which no later commit may change, and prints the Git commands. `-- --dry-run` only
// checks and prints the section; `-- 1.0.0` gives another version; `-- --unlooked` releases although the registry did not
// say which advisories concern the packages, and says so.
import { readFileSync, writeFileSync } from "node:fs";
import { runSilently } from "./run.mjs";
import { cutRelease, nextVersion } from "./release-notes.mjs";
import { digestMigrations } from "./released-migrations.mjs";

const words = process.argv.slice(2);
const isDryRun = words.includes("--dry-run");
const [given] = words.filter((word) => !word.startsWith("--"));

const { version: current } = /** @type {{ version: string }} */ (JSON.parse(readFileSync("package.json", "utf8")));
const changelog = readFileSync("CHANGELOG.md", "utf8");
const tags = (await read("git", ["tag", "--list", "v*"])).split("\n");
const today = new Date().toISOString().slice(0, 10);

/** Last entry of a release whose packages were not checked. */
const unlooked = "- Advisories about the packages were not looked up: the registry did not answer.\n\n";

const mistakes = [];
if (given !== undefined && !/^\d+\.\d+\.\d+$/.test(given)) mistakes.push(`${given} is no version like 1.2.3.`);
const version = given ?? nextVersion(current, changelog);
if (tags.includes(`v${version}`)) mistakes.push(`The tag v${version} exists.`);
const audit = await runSilently("npm", ["run", "--silent", "audit"]);
// 3: the registry gave no result.
const isUnlooked = audit.code === 3 && words.includes("--unlooked");
if (audit.code !== 0 && !isUnlooked) mistakes.push(`${audit.output.trim()}\nWithout a result, add --unlooked.`);
const release = cutRelease(changelog, version, today, isUnlooked ? unlooked : "");
if (release === null) mistakes.push("CHANGELOG.md has no entry under Unreleased.");
if ((await read("git", ["status", "--porcelain"])) !== "") mistakes.push("The tree has changes: commit them first.");
if (mistakes.length === 0) {
  const { code, output } = await runSilently("npm", ["run", "--silent", "check"]);
  if (code !== 0) mistakes.push(`npm run check failed:\n${output.trim()}`);
}
if (release === null || mistakes.length > 0) {
  console.error(mistakes.join("\n"));
  process.exit(1);
}

if (isDryRun) console.log(`${release.section}\nThis would be the tag v${version}.`);
else {
  writeFileSync("CHANGELOG.md", release.changelog);
  writeFileSync(`supabase/releases/${version}.sha256`, digestMigrations());
  await read("npm", ["version", version, "--no-git-tag-version", "--allow-same-version", "--ignore-scripts"]);
  console.log(`CHANGELOG.md, package.json and supabase/releases are those of ${version}. Look at them, then:
git add supabase/releases
git commit --all --message "release: publish ${version}"
git tag --annotate v${version} --message ${version}
npm version ${nextDevelopment(version)} --no-git-tag-version
git commit --all --message "release: begin ${nextDevelopment(version)}"`);
}

/** @param {string} released @returns {string} the version of the commits after it */
function nextDevelopment(released) {
  const [major, minor = 0] = released.split(".").map(Number);
  return `${major}.${minor + 1}.0-dev`;
}

/** @param {string} command @param {string[]} args @returns {Promise<string>} its output */
async function read(command, args) {
  const { code, output } = await runSilently(command, args);
  if (code === 0) return output.trim();
  console.error(output);
  process.exit(1);
}
