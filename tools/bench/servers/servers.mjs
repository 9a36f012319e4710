import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { findFreePort } from "../../free-port.mjs";

/** All that may have been printed before a start is over; the access log that follows is read and dropped. */
const maxPrinted = 100_000;

/**
 * A server in a process of its own, so that its processor time and memory are its alone.
 * @typedef {{ pid: number, port: number, stop(): Promise<void> }} RunningServer
 */

/**
 * How soon a start was of use, from the start of the process on.
 * @typedef {{ firstPageMs: number, readyMs: number }} StartTimes `firstPageMs`: to the whole of the first 200 for `/`, which
 *   was asked for all the time; `readyMs`: to the line that says that the backend is there
 */

/**
 * Starts the built product as the container does, with its options and variables, and waits until its pages are in memory.
 * @param {{ dataDir: string, port?: number, settings?: Record<string, string> }} options settings beside the bench's own
 * @returns {Promise<RunningServer & StartTimes>}
 * @throws with what it printed when it ends before that
 */
export async function startProduct({ dataDir, port: wantedPort, settings = {} }) {
  const port = wantedPort ?? (await findFreePort());
  const begin = performance.now();
  const program = fileURLToPath(new URL("../../../bin/site.mjs", import.meta.url));
  const child = spawn(process.execPath, ["--v8-pool-size=1", program, "serve"], {
    env: {
      PATH: process.env.PATH,
      // As in the Dockerfile; the memory figures depend on it.
      MALLOC_TRIM_THRESHOLD_: "131072",
      NODE_ENV: "production",
      HOST: "127.0.0.1",
      PORT: String(port),
      DATA_DIR: dataDir,
      POST_RATE_LIMIT: "0",
      BACKUP_EVERY: "off",
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  let readyMs = Number.NaN;
  let isWarm = false;
  for (const stream of [child.stdout, child.stderr]) {
    createInterface(stream).on("line", (line) => {
      if (printed.length < maxPrinted) printed += `${line}\n`;
      // Visitors may be there already, and then these stand among thousands of lines.
      if (line.startsWith("Ready: ")) readyMs = performance.now() - begin;
      if (line.includes('"pages.warm"')) isWarm = true;
    });
  }
  const gone = once(child, "exit");
  const stop = () => end(child, gone);
  /** @param {string} path @param {(answer: Response) => Promise<boolean>} isRight @param {number} everyMs */
  const until = async (path, isRight, everyMs) => {
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null);
      if (answer !== null && (await isRight(answer))) return performance.now() - begin;
      if (child.exitCode !== null) throw new Error(`The product ended at once:\n${printed}`);
      await wait(everyMs);
    }
  };
  const firstPageMs = await until("/", async (page) => (await page.text()) !== "" && page.status === 200, 5);
  await until("/healthz", async () => isWarm, 50);
  return { pid: child.pid ?? 0, port, firstPageMs, readyMs, stop };
}

/**
 * Starts the bare server.
 * @returns {Promise<RunningServer & { give(answers: { status: number, headers: string[], body: Buffer }[]): Promise<void> }>}
 *   `give` sets what it answers from now on, one after the other
 */
export async function startBareServer() {
  const child = fork(fileURLToPath(new URL("bare-server.mjs", import.meta.url)));
  const gone = once(child, "exit");
  const [{ port }] = await once(child, "message");
  return {
    pid: child.pid ?? 0,
    port,
    async give(answers) {
      // Each once, as the product has it: copies would not fit the processor's cache.
      const bodies = [...new Set(answers.map(({ body }) => body.toString("base64")))];
      const places = new Map(bodies.map((body, place) => [body, place]));
      const taken = once(child, "message");
      child.send({
        answers: answers.map((answer) => ({ ...answer, body: places.get(answer.body.toString("base64")) })),
        bodies,
      });
      await taken;
    },
    stop: () => end(child, gone),
  };
}

/** A hosted project as far as memory is concerned: the product needs an address that answers. */
export async function startHostedStub() {
  const server = createServer((_request, response) => response.writeHead(204).end()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return {
    settings: {
      SUPABASE_URL: `http://127.0.0.1:${port}`,
      SUPABASE_PUBLISHABLE_KEY: "sb_publishable_bench",
      SESSION_SECRET: "a secret of the bench, of 32 characters or more",
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A folder for a server's data. @returns {Promise<{ path: string, remove(): Promise<void> }>} */
export async function makeFolder() {
  const path = await mkdtemp(join(tmpdir(), "bench-"));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/**
 * The processor time that a process has used so far, all its threads together.
 * @param {number} pid @returns {Promise<number>} seconds, in steps of 0.01 (proc(5): `utime` and `stime` in clock ticks)
 */
export async function readProcessorSeconds(pid) {
  const line = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/**
 * Waits until a server has nothing left to do (mail goes out after the answer), so that the next run has the machine.
 * @param {number} pid @returns {Promise<number>} its processor seconds then
 */
export async function settle(pid) {
  const deadline = Date.now() + 15_000;
  let before = await readProcessorSeconds(pid);
  for (;;) {
    await wait(200);
    const now = await readProcessorSeconds(pid);
    if (now - before <= 0.01 || Date.now() > deadline) return now;
    before = now;
  }
}

/**
 * The memory of a process.
 * @param {number} pid @returns {Promise<{ nowMb: number, peakMb: number }>} resident, in units of 1024 × 1024 bytes
 */
export async function readMemory(pid) {
  const text = await readFile(`/proc/${pid}/status`, "utf8");
  const read = (/** @type {string} */ name) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(text)?.[1]) / 1024;
  return { nowMb: read("VmRSS"), peakMb: read("VmHWM") };
}

/** @param {import("node:child_process").ChildProcess} child @param {Promise<unknown>} gone */
async function end(child, gone) {
  child.kill("SIGTERM");
  await gone;
}
