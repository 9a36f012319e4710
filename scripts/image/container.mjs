import { once } from "node:events";
import { readFileSync } from "node:fs";
import { chown, mkdir } from "node:fs/promises";
import { nodeUser, runBeside, startInside } from "./sandbox.mjs";

/** @typedef {Awaited<ReturnType<typeof startContainer>>} Container */

const patienceMs = 60_000;

/**
 * Starts an image as compose.yaml does: read-only but for the volume and /tmp, without capabilities, as its own user.
 * @param {import("./replay.mjs").Image} image
 * @param {string} volume a folder of this machine
 * @param {number} port
 * @param {string} tmpfs mount options of /tmp
 * @returns what can be asked of it, once it is ready; it answers pages before
 * @throws Error with what it printed, when it ends or is not ready in time
 */
export async function startContainer(image, volume, port, tmpfs) {
  if (image.user !== "node") throw new Error(`The image runs as ${image.user}`);
  if (await mkdir(volume, { recursive: true })) await chown(volume, nodeUser, nodeUser);
  const env = { ...image.env, PORT: String(port), HOME: "/home/node" };
  const startedAt = performance.now();
  const child = startInside(image.root, image.command, {
    cwd: image.cwd,
    env,
    user: nodeUser,
    tmpfs,
    binds: [[volume, image.volume]],
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close");
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (printed += chunk));
  const url = `http://localhost:${port}`;
  /** @param {string} path */
  const until = async (path) => {
    while (!(await answers(url + path))) {
      if (child.exitCode !== null || performance.now() - startedAt > patienceMs) {
        child.kill("SIGKILL");
        throw new Error(`The container did not get ready:\n${printed}`);
      }
    }
    return performance.now() - startedAt;
  };
  const firstAnswerMs = await until("/");
  const readyMs = await until("/readyz");
  const pid = Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim());
  return {
    url,
    firstAnswerMs,
    readyMs,
    /** of process 1, as this machine counts */
    pid,
    output: () => printed,
    /** the fields of /proc/<pid>/status @param {string} name */
    status: (name) =>
      new RegExp(`^${name}:\\s*(.*)$`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "",
    /** like `docker exec` @param {string[]} command */
    run: (command) => runBeside(pid, command, { cwd: image.cwd, env }),
    /** sends the image's own stop signal @returns {Promise<number | null>} the exit code */
    async stop() {
      process.kill(pid, /** @type {NodeJS.Signals} */ (image.stopSignal));
      return (await ended)[0];
    },
  };
}

/** @param {string} url */
async function answers(url) {
  await new Promise((resolve) => setTimeout(resolve, 20));
  return fetch(url).then(
    ({ status }) => status === 200,
    () => false,
  );
}
