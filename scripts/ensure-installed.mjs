import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./run.mjs";

/**
 * Installs the packages of a folder with its own package.json and lock file, unless the lock file's packages are
 * already there: an operator who only runs the site does not need them. Install scripts do not run.
 * @param {"tests" | "tools"} name ends this process if the installation fails
 */
export async function ensureInstalled(name) {
  const folder = fileURLToPath(new URL(`../${name}/`, import.meta.url));
  const wanted = digestOf(folder);
  // `npm ci` starts by removing this file, so an interrupted installation does not count as complete.
  const stamp = join(folder, "node_modules/.installed");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  console.log(`Installing the packages of ${name}/: its lock file is new or has changed.`);
  // Some packages declare a newer Node, but we use only their programs, not their modules.
  const options = ["--ignore-scripts", "--include=optional", "--engine-strict=false", "--no-audit", "--no-fund"];
  const code = await run("npm", ["ci", "--prefix", folder, "--loglevel=error", ...options]);
  if (code !== 0) {
    console.error(
      `Could not install the packages of ${name}/. Make sure that npm can reach its registry, then try again.`,
    );
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
}

/** @param {string} folder @returns {string} digest of the lock file and of the platform */
function digestOf(folder) {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}`);
  for (const file of ["package.json", "package-lock.json"]) hash.update(readFileSync(join(folder, file)));
  return hash.digest("hex");
}
