import { loadEnvFile } from "./env-file.mjs";
import { findBuild } from "./find-build.mjs";
import { limitMemory } from "./limit-memory.mjs";
import { reportFailure } from "./report-failure.mjs";

/** @typedef {import("../app/server/commands/operations.server").OperationName} OperationName */
/** @typedef {import("../app/server/commands/doctor/settings-checks.server").EnvFile} EnvFile */

/**
 * Runs an operator's command from the server's build, because an image contains no other code. Exits with the command's
 * exit code.
 * @param {OperationName} name
 * @param {string[]} args command-line arguments after the name
 */
export async function operate(name, args) {
  limitMemory();
  try {
    const envFile = readEnvFile(name === "doctor");
    process.exit(await (await import(findBuild("operations.js"))).operate(name, args, envFile));
  } catch (error) {
    reportFailure(error);
    process.exit(name === "doctor" ? 2 : 1);
  }
}

/** @param {boolean} keepsMistakes returns mistakes instead of throwing them @returns {EnvFile} */
function readEnvFile(keepsMistakes) {
  try {
    return { names: loadEnvFile(), mistakes: null };
  } catch (error) {
    if (!keepsMistakes || !(error instanceof Error)) throw error;
    return { names: [], mistakes: error.message };
  }
}
