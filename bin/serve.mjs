import { existsSync } from "node:fs";
import { inspect } from "node:util";
import { setFlagsFromString } from "node:v8";
import { spareMemory } from "./spare-memory.mjs";
import { keepTickObject } from "./v8-nexttick-workaround.mjs";

/** Names of our own errors that keep a site from starting. */
const forOperator = new Set([
  "SettingsError",
  "FactsError",
  "AdminPasswordRefused",
  "DataFolderInUse",
  "MigrationFailed",
  "BackupFailed",
  "LibraryChanged",
]);

/**
 * Serves the build that is there, until the process ends: what the container runs, and what `npm start` runs once it is
 * sure of the build. Ends the process with 1, and says why, when it cannot start.
 */
export async function serve() {
  keepTickObject();
  spareMemory();
  process.env.NODE_ENV = "production";
  if (existsSync(".env")) process.loadEnvFile(".env");

  // A start makes much that is garbage a moment later. V8 would let its space for young objects grow to hold all of it, and
  // keep 20 MB that an idle server never needs; it may grow once there are visitors, whose pages need it.
  growYoungSpaceBy(1);
  try {
    const build = await import(new URL("../build/server/index.js", import.meta.url).href);
    await build.entry.module.startServer(build);
  } catch (thrown) {
    const error = /** @type {Error & { code?: string }} */ (thrown);
    // Our own errors say what to do; of any other the operator needs the stack.
    const isForOperator = forOperator.has(error.name) || error.code === "EADDRINUSE";
    // Not by the console, whose lines may go to the log by now.
    process.stderr.write(`${isForOperator ? error.message : inspect(error)}\n`);
    process.exit(1);
  }
  growYoungSpaceBy(2);
}

/** @param {1 | 2} factor each time that it is full; 2 is V8's own */
function growYoungSpaceBy(factor) {
  setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}
