import { loadEnvFile } from "./env-file.mjs";
import { findBuild } from "./find-build.mjs";
import { limitMemory } from "./limit-memory.mjs";
import { reportFailure } from "./report-failure.mjs";

/** @typedef {import("../app/server/commands/operations.server").OperationName} OperationName */

/**
 * Runs an operator's command from the server's build, because an image contains no other code. Exits with the command's
 * exit code.
 * @param {OperationName} name
 * @param {string[]} args command-line arguments after the name
 */
export async function operate(name, args) {
  limitMemory();
  try {
    loadEnvFile();
    process.exit(await (await import(findBuild("operations.js"))).operate(name, args));
  } catch (error) {
    reportFailure(error);
    process.exit(1);
  }
}
