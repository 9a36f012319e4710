// Starts the product: builds it first if there is no current build, then serves it.
import "../bin/node-version.mjs";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { serve } from "../bin/serve.mjs";
import { nameCommands } from "../bin/surroundings.mjs";
import { runNpmScript } from "./run.mjs";

const serverFile = "build/server/index.js";
const sources = ["app", "supabase", "public", "scripts", "package-lock.json", "remix.config.js", "vite.config.ts"];
/** Missing after `npm install --omit=dev`. */
const builder = "node_modules/@remix-run/dev";

if (existsSync(builder)) {
  if (!isCurrent()) {
    console.log("Building the site: there is no current build. This takes about half a minute.");
    await runNpmScript("build");
  }
} else if (!existsSync(serverFile)) {
  console.error("There is no build, and the build tools are not installed. Run `npm install`, then start again.");
  process.exit(1);
} else if (!isCurrent()) {
  console.warn("The build is older than its sources, and the build tools are not installed: serving the old build.");
}
nameCommands();
await serve();

function isCurrent() {
  if (!existsSync(serverFile)) return false;
  const builtAt = statSync(serverFile).mtimeMs;
  return sources.every((path) => newestChange(path) <= builtAt);
}

/** @param {string} path @returns {number} time of the last change to it or anything below it; 0 if it does not exist */
function newestChange(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return stats?.mtimeMs ?? 0;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newestChange(join(path, name))));
}
