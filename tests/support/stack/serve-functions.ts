import { readdir } from "node:fs/promises";
import { type EdgeFunction, callFunction } from "../../../supabase/embedded/functions.ts";
import { logToConsole } from "../../../supabase/embedded/log.ts";

/**
 * Serves all edge functions in one Deno process, at the paths of a hosted project. Loads every function at the start, so
 * that one with a missing package fails then, and not at its first call.
 */
export default { fetch: (request: Request) => callFunction(functions, request, logToConsole) };

const folder = new URL("../../../supabase/functions/", import.meta.url);
const names = (await readdir(folder)).filter((name) => name !== "_shared");
const functions = Object.fromEntries(await Promise.all(names.map(load)));

async function load(name: string) {
  const loaded = (await import(new URL(`${name}/index.ts`, folder).href)) as EdgeFunction;
  return [name, async () => loaded] as const;
}
