import { existsSync } from "node:fs";
import { spareMemory } from "./spare-memory.mjs";

/** @typedef {import("../app/server/process/operations.server").OperationName} OperationName */

/**
 * Runs one of the operator's commands from the server's build, which carries them: an image holds nothing else. Ends
 * the process with the command's exit code.
 * @param {OperationName} name
 * @param {string[]} words what stood on the command line behind the name
 */
export async function operate(name, words) {
  spareMemory();
  if (existsSync(".env")) process.loadEnvFile(".env");
  const file = new URL("../build/server/operations.js", import.meta.url);
  if (!existsSync(file)) {
    console.error("There is no build yet: run `npm run build` first.");
    process.exit(1);
  }
  process.exit(await (await import(file.href)).operate(name, words));
}
