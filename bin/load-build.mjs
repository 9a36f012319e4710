import { existsSync } from "node:fs";
import { setFlagsFromString } from "node:v8";

/** There is no build. */
class BuildMissing extends Error {
  /** @override */
  name = "BuildMissing";
}

/**
 * V8 options that make a process with the embedded database use less memory, at no measurable cost. A backup process
 * starts with the same ones (app/server/backend/embedded/run-backup.server.ts).
 *
 * One thread compiles WebAssembly instead of all: each keeps its compiler's memory, 30 MB in all, and on two cores more
 * threads start no faster. Garbage is collected at half of the memory in use: on a large machine V8 lets the heap
 * triple, to 660 MB after a hundred thousand requests, of which 340 were garbage.
 */
const memoryOptions = ["--wasm-num-compilation-tasks=1", "--heap-growing-percent=50"];

/**
 * Imports a file of the server's build. The memory options apply to the whole process, and only before the database's
 * modules load.
 * @param {string} name
 * @throws {BuildMissing} if there is no build
 */
export async function loadBuild(name) {
  for (const option of memoryOptions) setFlagsFromString(option);
  return import(findBuild(name));
}

/**
 * Finds a file of the server's build, which is complete with the files that pages link to.
 * @param {string} name
 * @returns {string} its URL, for `import`
 * @throws {BuildMissing} if there is no build
 */
export function findBuild(name) {
  const file = new URL(`../build/server/${name}`, import.meta.url);
  if (!existsSync(file) || !existsSync(new URL("../build/client", import.meta.url)))
    throw new BuildMissing("There is no build yet: run `npm run build` first.");
  return file.href;
}
