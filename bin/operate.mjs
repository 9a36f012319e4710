import { loadEnvFile } from "./env-file.mjs";
import { findBuild } from "./find-build.mjs";
import { spareMemory } from "./spare-memory.mjs";
import { tellFailure } from "./tell-failure.mjs";

/** @typedef {import("../app/server/commands/operations.server").OperationName} OperationName */

/**
 * Runs one of the operator's commands from the server's build, which carries them: an image holds nothing else. Ends
 * the process with the command's exit code.
 * @param {OperationName} name
 * @param {string[]} words what stood on the command line behind the name
 */
export async function operate(name, words) {
  spareMemory();
  try {
    loadEnvFile();
    process.exit(await (await import(findBuild("operations.js"))).operate(name, words));
  } catch (error) {
    tellFailure(error);
    process.exit(1);
  }
}
