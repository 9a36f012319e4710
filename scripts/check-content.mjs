// Lists what the firm must still supply or approve before the site goes live, and where visitors meet it. Exits with 0, because a
// site under construction is no mistake; with `--strict` it exits with 1 as long as anything is left.
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const { company } = /** @type {typeof import("../app/content/company")} */ (await load("company"));
const { placeholders } = /** @type {typeof import("../app/content/placeholders")} */ (await load("placeholders"));

const values = new Map(readTexts(company));
const listed = new Set(placeholders.map(({ key }) => key));
const unlisted = [...values].filter(([key, value]) => looksUnfilled(value) && !listed.has(key));

for (const { key, what, where, says } of placeholders) {
  const value = says === undefined ? values.get(key) : `“${says}”`;
  console.log(`- ${key}: ${what}\n    shows on: ${where}${value ? `\n    reads now: ${value}` : ""}`);
}
for (const [key, value] of unlisted) console.log(`- ${key}: not listed in \`placeholders\`\n    reads now: ${value}`);

const left = placeholders.length + unlisted.length;
if (left === 0) console.log("Nothing is left: the firm has supplied and approved everything.");
else
  console.log(
    `\n${left} left before going live. Fill in each fact in app/content/company.ts, and approve each claim or change its words; then remove its entry from app/content/placeholders.ts.`,
  );
process.exit(left > 0 && process.argv.includes("--strict") ? 1 : 0);

/** @param {string} name of a module of the site's content */
async function load(name) {
  const file = fileURLToPath(new URL(`../app/content/${name}.ts`, import.meta.url));
  return (await runnerImport(file, { configFile: false, logLevel: "error" })).module;
}

/** A bracket or a reserved address stands where a fact is missing. @param {string} value */
function looksUnfilled(value) {
  return /\[[^\]]*\]|\.example\b/.test(value);
}

/**
 * @param {object} facts
 * @param {string} path of `facts` inside the company, with a full stop at its end
 * @returns {[string, string][]} each text with its key, e.g. `founder.name`
 */
function readTexts(facts, path = "") {
  return Object.entries(facts).flatMap(([key, value]) =>
    typeof value === "string"
      ? [/** @type {[string, string]} */ ([path + key, value])]
      : readTexts(value, `${path}${key}.`),
  );
}
