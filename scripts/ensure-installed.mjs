import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./run.mjs";

/**
 * Installs the packages of a folder that has a package.json and a lock file of its own, unless those of the lock file are
 * there already: an operator who only runs the site does not pay for them. Their install scripts do not run.
 * @param {"tests" | "tools"} name ends this process when the installation fails
 */
export async function ensureInstalled(name) {
  const folder = fileURLToPath(new URL(`../${name}/`, import.meta.url));
  const wanted = digestOf(folder);
  // `npm ci` begins by removing it, so an installation that was broken off is not taken for a whole one.
  const stamp = join(folder, "node_modules/.installed");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  console.log(`Installing the packages of ${name}/, because its lock file is new or has changed.`);
  // Some packages say that they are for newer Nodes; what is taken from them are programs, not modules.
  const options = ["--ignore-scripts", "--include=optional", "--engine-strict=false", "--no-audit", "--no-fund"];
  const code = await run("npm", ["ci", "--prefix", folder, "--loglevel=error", ...options]);
  if (code !== 0) {
    console.error(
      `The packages of ${name}/ could not be installed. Make sure that npm reaches its registry; try again.`,
    );
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
}

/** @param {string} folder @returns {string} of what is asked for, and of the machine that it is for */
function digestOf(folder) {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}`);
  for (const file of ["package.json", "package-lock.json"]) hash.update(readFileSync(join(folder, file)));
  return hash.digest("hex");
}
