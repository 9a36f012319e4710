import { existsSync } from "node:fs";

/** There is no build. */
class BuildMissing extends Error {
  /** @override */
  name = "BuildMissing";
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
