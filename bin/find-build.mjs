import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The build, or the files of its pages, are missing here. */
class BuildMissing extends Error {
  /** @override */
  name = "BuildMissing";
}

/**
 * Finds a file of the server's build.
 * @param {string} name
 * @returns {string} its URL, for `import`
 * @throws {BuildMissing} if there is no build
 */
export function findBuild(name) {
  const file = new URL(`../build/server/${name}`, import.meta.url);
  if (!existsSync(file)) throw new BuildMissing("There is no build yet: run `npm run build` first.");
  return file.href;
}

/**
 * Checks that the current folder has the files that pages link to.
 * @throws {BuildMissing} with the folder to start in
 */
export function requireClientFiles() {
  if (existsSync("build/client")) return;
  const folder = fileURLToPath(new URL("..", import.meta.url));
  throw new BuildMissing(`The files of the pages are not in this folder: start the site in ${folder}.`);
}
