import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const appFolder = fileURLToPath(new URL("../app", import.meta.url));

/**
 * Imports a TypeScript module of this repository into a script, which Node alone cannot.
 * @param {string} path from the repository's root, e.g. "app/content/company.ts"
 * @returns {Promise<unknown>} the module's exports
 */
export async function loadModule(path) {
  const { module } = await runnerImport(`./${path}`, { resolve: { alias: { "~": appFolder } }, logLevel: "error" });
  return module;
}
