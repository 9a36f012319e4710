import { once } from "node:events";
import { cp, mkdir, readFile, stat } from "node:fs/promises";
import { basename, join, posix, relative } from "node:path";
import { readDockerIgnore } from "./docker-ignore.mjs";
import { assignments, parseDockerfile } from "./dockerfile.mjs";
import { makeRoot, startInside } from "./sandbox.mjs";

/** What an image carries: its files, and how a container of it starts. */
/**
 * @typedef {{
 *   root: string,
 *   cwd: string,
 *   env: Record<string, string>,
 *   user: string,
 *   volume: string,
 *   stopSignal: string,
 *   command: string[],
 *   healthcheck: string[],
 * }} Image
 */

/** Instructions that say something about the image and change no file. */
const remarks = ["ARG", "LABEL", "EXPOSE"];
const path = "/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin";

/**
 * Copies what a build would be sent: the files of a folder that its .dockerignore lets through.
 * @param {string} source @param {string} target
 */
export async function copyContext(source, target) {
  const reaches = readDockerIgnore(await readFile(join(source, ".dockerignore"), "utf8"));
  await cp(source, target, {
    recursive: true,
    filter: (from) => from === source || reaches(relative(source, from)),
  });
}

/**
 * Runs a Dockerfile's instructions, each stage in a root folder of its own, and gives back what the last one describes.
 * @param {string} context the folder that COPY takes from
 * @param {string} work a new folder for the roots
 * @param {{ dockerfile: string, node: string, npm: string, env: Record<string, string>, binds: [string, string][] }} tools
 *   `env` and `binds`: what commands need to reach the package registry from this machine; no container gets them
 * @returns {Promise<Image>}
 * @throws Error when a command fails, or for an instruction that this does not know
 */
export async function replay(context, work, tools) {
  /** @type {Map<string, string>} */
  const roots = new Map();
  let image = describeImage("");
  for (const { name, steps } of parseDockerfile(tools.dockerfile)) {
    image = describeImage(join(work, name));
    roots.set(name, image.root);
    makeRoot(image.root, tools.node, tools.npm);
    for (const step of steps) {
      console.log(`[${name}] ${step.word} ${step.text}`);
      await follow(step, image, step.flags.from === undefined ? context : (roots.get(step.flags.from) ?? ""), tools);
    }
  }
  return image;
}

/** @param {string} root @returns {Image} */
function describeImage(root) {
  const nothing = { user: "root", volume: "", stopSignal: "SIGTERM", command: [], healthcheck: [] };
  return { root, cwd: "/", env: { PATH: path }, ...nothing };
}

/**
 * @param {import("./dockerfile.mjs").Step} step @param {Image} image changed by it
 * @param {string} source of a COPY @param {Parameters<typeof replay>[2]} tools
 */
async function follow(step, image, source, { env, binds }) {
  const [first = ""] = step.arguments;
  switch (step.word) {
    case "WORKDIR":
      image.cwd = posix.resolve(image.cwd, first);
      await mkdir(join(image.root, image.cwd), { recursive: true });
      return;
    case "ENV":
      Object.assign(image.env, Object.fromEntries(assignments(step.text)));
      return;
    case "COPY":
      return copy(step.arguments, source, image);
    case "RUN": {
      const options = { cwd: image.cwd, env: { HOME: "/root", ...env, ...image.env }, binds };
      const [code] = await once(startInside(image.root, ["/bin/sh", "-c", step.text], options), "close");
      if (code !== 0) throw new Error(`RUN ${step.text} ended with ${code}`);
      return;
    }
    case "USER":
      image.user = first;
      return;
    case "VOLUME":
      image.volume = first;
      return;
    case "STOPSIGNAL":
      image.stopSignal = first;
      return;
    case "CMD":
      image.command = step.arguments;
      return;
    case "HEALTHCHECK":
      image.healthcheck = step.arguments;
      return;
    default:
      if (!remarks.includes(step.word)) throw new Error(`${step.word} is not known here`);
  }
}

/**
 * A folder's content goes into the target; a file goes into it where it ends with "/", or else by that very name.
 * @param {string[]} names sources, then the target @param {string} source @param {Image} image
 */
async function copy(names, source, image) {
  const target = names.at(-1) ?? "";
  const at = join(image.root, posix.resolve(image.cwd, target));
  for (const name of names.slice(0, -1)) {
    const from = join(source, name);
    const isFolder = (await stat(from)).isDirectory();
    const isInto = !isFolder && (/(^\.?|\/)$/.test(target) || names.length > 2);
    // Links stay as they are written: npm links to folders beside node_modules.
    await cp(from, isInto ? join(at, basename(name)) : at, { recursive: true, verbatimSymlinks: true });
  }
}
