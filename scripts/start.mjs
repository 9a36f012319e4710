// Starts the product: builds it first where no current build is found, then serves it.
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { runNpmScript } from "./run.mjs";

const serverFile = "build/server/index.js";
const sources = ["app", "supabase", "package-lock.json", "remix.config.js", "vite.config.ts"];

process.env.NODE_ENV = "production";
if (existsSync(".env")) process.loadEnvFile(".env");
if (!isBuilt()) await runNpmScript("build");

try {
  const build = await import(new URL(`../${serverFile}`, import.meta.url).href);
  await build.entry.module.startServer(build);
} catch (thrown) {
  const error = /** @type {Error & { code?: string }} */ (thrown);
  // Our own errors say what to do; of any other the operator needs the stack.
  const isForOperator = ["SettingsError", "DataFolderInUse"].includes(error.name) || error.code === "EADDRINUSE";
  console.error(isForOperator ? error.message : error);
  process.exit(1);
}

function isBuilt() {
  if (!existsSync(serverFile)) return false;
  const builtAt = statSync(serverFile).mtimeMs;
  // An image holds the build alone: without sources there is nothing newer.
  return sources.filter((path) => existsSync(path)).every((path) => newestChange(path) <= builtAt);
}

/** @param {string} path @returns {number} */
function newestChange(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newestChange(join(path, name))));
}
