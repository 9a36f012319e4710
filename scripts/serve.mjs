// Serves the build that is there: what the container runs, and what `npm start` runs once it is sure of the build.
import { existsSync } from "node:fs";

process.env.NODE_ENV = "production";
if (existsSync(".env")) process.loadEnvFile(".env");

try {
  const build = await import(new URL("../build/server/index.js", import.meta.url).href);
  await build.entry.module.startServer(build);
} catch (thrown) {
  const error = /** @type {Error & { code?: string }} */ (thrown);
  // Our own errors say what to do; of any other the operator needs the stack.
  const isForOperator =
    ["SettingsError", "DataFolderInUse", "MigrationFailed"].includes(error.name) || error.code === "EADDRINUSE";
  console.error(isForOperator ? error.message : error);
  process.exit(1);
}
