import { loadEnvFile } from "./env-file.mjs";
import { findBuild } from "./find-build.mjs";
import { limitMemory } from "./limit-memory.mjs";
import { reportFailure } from "./report-failure.mjs";

/** @typedef {import("../app/server/commands/operations.server").OperationName} OperationName */

/**
 * Runs one of the operator's commands from the server's build, which carries them: an image holds nothing else. Ends
 * the process with the command's exit code.
 * @param {OperationName} name
 * @param {string[]} args what stood on the command line behind the name
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
