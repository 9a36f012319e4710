import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** One folder of the image: its size on disk, and as it travels. */
/** @typedef {{ name: string, bytes: number, packedBytes: number }} Part */

/**
 * Measures what an image holds beyond its base.
 * @param {import("./replay.mjs").Image} image
 * @returns {Part[]} the large folders, and everything
 */
export function measureParts({ root, cwd }) {
  const site = join(root, cwd);
  return [
    ...["node_modules", "build", "public", "scripts"].map((name) => ({ name: `${name}/`, ...measure(site, name) })),
    { name: "all", ...measure(site, ".") },
  ];
}

/** @param {string} folder @param {string} name */
function measure(folder, name) {
  const size = run("du", ["--summarize", "--bytes", name], folder).toString();
  const packed = run("tar", ["--create", "--gzip", name], folder);
  return { bytes: Number.parseInt(size, 10), packedBytes: packed.byteLength };
}

/** @param {string} command @param {string[]} args @param {string} cwd */
function run(command, args, cwd) {
  const { status, stdout } = spawnSync(command, args, { cwd, maxBuffer: 1 << 30 });
  if (status !== 0) throw new Error(`${command} ended with ${status}`);
  return stdout;
}
