import { execFileSync, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { cpus } from "node:os";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { findFreePort } from "../free-port.mjs";

/**
 * Starts the built product as the container does, and waits until its pages are cached. It runs in a separate process,
 * so that its processor time and memory can be measured alone.
 * @param {string} dataDir @param {Record<string, string>} [settings]
 * @returns `firstPageMs` from the start of the process to the first 200, `readyMs` to the line that reports a ready
 *   backend
 */
export async function startProduct(dataDir, settings = {}) {
  const port = await findFreePort();
  const begin = performance.now();
  const env = {
    PATH: process.env.PATH,
    // As in the Dockerfile; the memory figures depend on it.
    MALLOC_TRIM_THRESHOLD_: "131072",
    NODE_ENV: /** @type {const} */ ("production"),
    HOST: "127.0.0.1",
    PORT: String(port),
    DATA_DIR: dataDir,
    POST_RATE_LIMIT: "0",
    BACKUP_EVERY: "off",
    ...settings,
  };
  const words = ["--v8-pool-size=1", fileURLToPath(new URL("../../bin/site.mjs", import.meta.url)), "serve"];
  const child = spawn(process.execPath, words, { env, stdio: ["ignore", "pipe", "inherit"] });
  const stop = makeStop(child);
  const start = { firstPageMs: Number.NaN, readyMs: Number.NaN, isWarm: false };
  const lines = createInterface(child.stdout).on("line", (line) => {
    if (line.startsWith("Ready: ")) start.readyMs = performance.now() - begin;
    if (line.includes('"pages.warm"')) start.isWarm = true;
  });
  while (!start.isWarm || Number.isNaN(start.firstPageMs + start.readyMs)) {
    if (child.exitCode !== null) throw new Error("The product exited during its start.");
    const page = start.firstPageMs > 0 ? null : await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
    if (page?.status === 200 && (await page.text())) start.firstPageMs = performance.now() - begin;
    await wait(5);
  }
  // Reads the log from now on without looking at its lines, which would compete with the load.
  lines.close();
  child.stdout.resume();
  return { pid: child.pid ?? 0, port, ...start, stop };
}

/** Starts the bare server. `give` sets the responses that it sends from now on, one after the other. */
export async function startBareServer() {
  const child = fork(fileURLToPath(new URL("bare-server.mjs", import.meta.url)));
  const stop = makeStop(child);
  const [{ port }] = await once(child, "message");
  return {
    pid: child.pid ?? 0,
    /** @type {number} */
    port,
    /** @param {{ status: number, headers: string[], body: Buffer }[]} responses */
    async give(responses) {
      const taken = once(child, "message");
      child.send(responses.map((response) => ({ ...response, body: response.body.toString("base64") })));
      await taken;
    },
    stop,
  };
}

/**
 * Measures what a response costs a server that always has requests: it has the first processor, and the load the second.
 * While it is saturated, this is the inverse of its requests a second.
 * @param {{ pid: number, port: number }} server @param {number} seconds
 * @param {import("./requests.mjs").KnownRequest[]} requests
 * @returns processor seconds of a response
 */
export async function measureSaturated({ pid, port }, seconds, requests) {
  pin(pid, "0");
  // The load inherits it.
  pin(process.pid, "1");
  const before = await readProcessorSeconds(pid);
  const child = fork(fileURLToPath(new URL("saturate.mjs", import.meta.url)));
  child.send({ port, seconds, requests });
  const [count] = await Promise.race([once(child, "message"), once(child, "exit")]);
  const used = (await readProcessorSeconds(pid)) - before;
  for (const id of [pid, process.pid]) pin(id, `0-${cpus().length - 1}`);
  if (!(count > 1)) throw new Error("The server could not be saturated.");
  return used / count;
}

/** Lets all threads of a process run on these processors only. @param {number} pid @param {string} processors */
function pin(pid, processors) {
  execFileSync("taskset", ["--all-tasks", "--cpu-list", "--pid", processors, String(pid)]);
}

/**
 * Waits until a server is idle, because mail is sent after the response.
 * @param {number} pid @returns {Promise<number>} processor seconds used so far, all threads together
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

/** Reads `utime` and `stime`, which are in hundredths of a second (proc(5)). @param {number} pid */
async function readProcessorSeconds(pid) {
  const line = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** @param {number} pid @returns {Promise<number>} resident memory in units of 1024 × 1024 bytes */
export async function readMemoryMb(pid) {
  const text = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(text)?.[1]) / 1024;
}

/**
 * @param {import("node:child_process").ChildProcess} child @returns {() => Promise<void>} a function that stops it and
 *   waits for its exit
 */
function makeStop(child) {
  const gone = once(child, "exit");
  return async () => {
    child.kill("SIGTERM");
    await gone;
  };
}
