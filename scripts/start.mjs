// Starts the product: builds it first where no current build is found, then serves it.
import "../bin/node-version.mjs";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { serve } from "../bin/serve.mjs";
import { runNpmScript } from "./run.mjs";

const serverFile = "build/server/index.js";
const sources = ["app", "supabase", "public", "scripts", "package-lock.json", "remix.config.js", "vite.config.ts"];
/** Not there after `npm install --omit=dev`. */
const builder = "node_modules/@remix-run/dev";

if (existsSync(builder)) {
  if (!isCurrent()) {
    console.log("Building the site, because there is no current build. It takes about half a minute.");
    await runNpmScript("build");
  }
} else if (!existsSync(serverFile)) {
  console.error("There is no build, and what makes one is not installed. Run `npm install`, then start again.");
  process.exit(1);
} else if (!isCurrent()) {
  console.warn("The build is older than its sources, and what makes a new one is not installed: serving it as it is.");
}
await serve();

function isCurrent() {
  if (!existsSync(serverFile)) return false;
  const builtAt = statSync(serverFile).mtimeMs;
  return sources.every((path) => newestChange(path) <= builtAt);
}

/** @param {string} path @returns {number} when it, or anything below it, changed last; 0 where it does not exist */
function newestChange(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return stats?.mtimeMs ?? 0;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newestChange(join(path, name))));
}
