import { existsSync } from "node:fs";
import { spareMemory } from "./spare-memory.mjs";

/** @typedef {import("../supabase/embedded/operations/run-operation").OperationName | "privacy-pack" | "check-mail" | "check-content"} OperationName */

/**
 * Runs one of the operator's commands from the server's build, which carries them: an image holds nothing else. Ends
 * the process with the command's exit code.
 * @param {OperationName} name
 * @param {string[]} words what stood on the command line behind the name
 */
export async function operate(name, words) {
  spareMemory();
  if (existsSync(".env")) process.loadEnvFile(".env");
  const file = new URL("../build/server/index.js", import.meta.url);
  if (!existsSync(file)) {
    console.error("There is no build yet: run `npm run build` first.");
    process.exit(1);
  }
  const { runCheckMail, runContentCheck, runOperation, runPrivacyPack } = (await import(file.href)).entry.module;
  if (name === "privacy-pack") process.exit(await runPrivacyPack(words));
  if (name === "check-mail") process.exit(await runCheckMail(words));
  process.exit(await (name === "check-content" ? runContentCheck(words) : runOperation(name, words)));
}
