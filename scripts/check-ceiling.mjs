// Fails when the repository is larger than ceiling.json allows: `npm run ceiling`. With `--lower`, writes the present
// numbers there where they are lower. A folder of the product may pass its number by 2 % while the sum holds.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

/** @type {Record<string, number>} */
const ceiling = JSON.parse(readFileSync("ceiling.json", "utf8"));
const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"]);
const files = listed.toString().split("\0").slice(0, -1);

/** Numbers of this repository, by name. @type {Record<string, number>} */
const present = {};
const add = (/** @type {string} */ name, /** @type {number} */ number) => {
  present[name] = (present[name] ?? 0) + number;
};

const isDocument = /^(?:README|SECURITY|CHANGELOG|docs\/(?!evidence\/|REQUIREMENTS).*)\.md$/;
const isCode = /\.(?:[cm]?[jt]sx?|css|sql|sh|ya?ml)$|(?:^|\/)(?:Dockerfile|Caddyfile|nginx\.conf|faults\.json)$/;
const lines = { code: 0, comment: 0 };
for (const file of files) {
  const text = readFileSync(file, "utf8");
  if (isDocument.test(file)) add("words of documents", text.split(/\s+/).length - 1);
  if (!isCode.test(file) || file.startsWith("docs/")) continue;
  const { code, comment } = countLines(file, text);
  lines.code += code;
  lines.comment += comment;
  const isTest = /^tests\/|\.test\.ts$/.test(file);
  add(isTest ? "code of tests" : "code of the product", code);
  if (isTest) continue;
  add(`code of ${/^(?:(?:app|supabase)\/)?[\w-]+(?=\/)/.exec(file)?.[0] ?? "the root"}`, code);
  if (/^app\/.*\.tsx?$|^supabase\/.*\.ts$/.test(file)) {
    for (const [, event] of text.matchAll(/\b(?:event|failure): ["`]([a-z$][\w.${}-]+)["`]/g))
      present[`event ${event}`] = 1;
    add("metrics", text.match(/"site_[a-z_]+"/g)?.length ?? 0);
  }
  if (file.startsWith("supabase/migrations/")) {
    add("SQL functions", text.match(/^create (?:or replace )?function /gm)?.length ?? 0);
    add("tables", text.match(/^create (?:unlogged )?table /gm)?.length ?? 0);
  }
  if (file.endsWith("setting-variables.server.ts")) add("settings", text.match(/^ {2}[A-Z_]+:/gm)?.length ?? 0);
  if (file === "bin/site.mjs") add("commands", text.match(/^ {4}does:/gm)?.length ?? 0);
}
add("npm scripts", Object.keys(JSON.parse(readFileSync("package.json", "utf8")).scripts).length);
add("words of the changelog", readFileSync("CHANGELOG.md", "utf8").split(/\s+/).length - 1);
add("code lines for ten comment lines", Math.ceil((10 * lines.code) / lines.comment));
for (const name of Object.keys(present).filter((each) => each.startsWith("event "))) {
  delete present[name];
  add("log events", 1);
}

if (process.argv.includes("--lower")) {
  const numbers = Object.entries(present).map(([name, number]) => [name, Math.min(number, ceiling[name] ?? number)]);
  writeFileSync("ceiling.json", `${JSON.stringify(Object.fromEntries(numbers.toSorted()), null, 2)}\n`);
} else {
  const isSumLow = (present["code of the product"] ?? 0) <= (ceiling["code of the product"] ?? 0);
  for (const [name, number] of Object.entries(present)) {
    const isFolder = /^code of (?!tests$|the product$)/.test(name);
    const most = (ceiling[name] ?? 0) * (isFolder && isSumLow ? 1.02 : 1);
    if (number <= most) continue;
    console.error(`${name}: ${number} is above the ceiling, ${ceiling[name] ?? 0} (ceiling.json)`);
    process.exitCode = 1;
  }
}

/** Counts lines that are neither blank nor a comment, and lines of comment. @param {string} file @param {string} text */
function countLines(file, text) {
  const hasBlocks = /\.(?:[cm]?[jt]sx?|css)$/.test(file);
  const start = hasBlocks ? /^(?:\/\/|\{?\/\*)/ : file.endsWith(".sql") ? /^--/ : /^#/;
  let [code, comment, isInside] = [0, 0, false];
  const trimmed = text.split("\n").map((each) => each.trim());
  for (const line of trimmed.filter(Boolean)) {
    if (isInside || start.test(line)) comment += 1;
    else code += 1;
    if (hasBlocks && (isInside || /^\{?\/\*/.test(line))) isInside = !line.includes("*/");
  }
  return { code, comment };
}
