import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const folderAt = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));
const alias = { "~": folderAt("../app"), "#supabase": folderAt("../supabase") };

/**
 * Imports a TypeScript module of this repository into a script, which Node alone cannot do.
 * @param {string} path from the repository's root, e.g. "app/content/company.ts"
 * @returns {Promise<unknown>} the module's exports
 */
export async function loadModule(path) {
  const { module } = await runnerImport(`./${path}`, { resolve: { alias }, logLevel: "error" });
  return module;
}
