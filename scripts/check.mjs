// Runs all checks that need no build and no test in parallel: `npm run check`. Prints one line for each, and the output
// of failed ones below.
import "../bin/node-version.mjs";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { ensureInstalled } from "./ensure-installed.mjs";

/** Scripts of package.json; the slowest first. */
const checks = ["types", "imports", "format:check", "unused", "state", "words", "ceiling", "lint"];

const { scripts } = /** @type {{ scripts: Record<string, string> }} */ (
  JSON.parse(readFileSync("package.json", "utf8"))
);
await ensureInstalled("tests");
await ensureInstalled("tools");
const outputs = await Promise.all(checks.map(check));
for (const output of outputs) process.stdout.write(output);

/**
 * Runs one check and prints its result. It bypasses `npm run`, which would add half a second to each.
 * @param {string} name @returns {Promise<string>} its output if it failed, otherwise nothing
 */
async function check(name) {
  const startedAt = performance.now();
  const child = spawn(scripts[name] ?? "", { shell: true, stdio: ["ignore", "pipe", "pipe"] });
  /** @type {Promise<number | null>} */
  const ended = new Promise((resolve) => child.once("close", resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${code === 0 ? "ok    " : "FAILED"}  ${name}  (${seconds} s)`);
  if (code === 0) return "";
  process.exitCode = 1;
  return `\n— npm run ${name}\n${out}${err}`;
}
