import { execFile } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { findFreePort } from "../free-port.mjs";
import { prepareAnswers } from "./compare.mjs";
import { sendAtRate } from "./generators/fixed-rate.mjs";
import { median } from "./median.mjs";
import { get } from "./requests/requests.mjs";
import { settle, startProduct } from "./servers/servers.mjs";

/** @typedef {Record<"bare" | "idle" | "messages" | "backup" | "opening", import("./generators/fixed-rate.mjs").FixedRateResult>} Stalls */

/** Visits a second: so many that a stall of a few milliseconds is among the slowest hundredth. */
export const visitsPerSecond = 500;
export const messagesPerSecond = 20;

const home = get("/");
const site = fileURLToPath(new URL("../../bin/site.mjs", import.meta.url));

/**
 * Starts the product while visitors ask for its home page.
 * @param {{ dataDir: string, settings: Record<string, string> }} options
 * @returns {Promise<{ product: Awaited<ReturnType<typeof startProduct>>, opening: import("./generators/fixed-rate.mjs").FixedRateResult }>}
 *   times from the first answer on, until the database is open and all pages are in memory
 */
export async function startUnderLoad(options) {
  const port = await findFreePort();
  const starting = startProduct({ ...options, port });
  await Promise.race([starting, untilAnswered(port)]);
  const opening = await visit(port, starting);
  return { product: await starting, opening };
}

/**
 * What visitors of the home page feel of the product's other work.
 * @param {{ product: { pid: number, port: number }, bare: Awaited<ReturnType<typeof import("./servers/servers.mjs").startBareServer>>,
 *   message: import("./requests/requests.mjs").KnownRequest, dataDir: string, seconds: number }} plan
 * @returns {Promise<Omit<Stalls, "opening">>}
 */
export async function measureStalls({ product, bare, message, dataDir, seconds }) {
  const { pid, port } = product;
  await bare.give(await prepareAnswers([home], product));
  const bareTimes = await visit(bare.port, wait(seconds * 1000));
  const idle = await visit(port, wait(seconds * 1000));
  const over = wait(seconds * 1000);
  const [visits, stored] = await Promise.all([
    visit(port, over),
    sendAtRate({ port, perSecond: messagesPerSecond, request: message, until: over }),
  ]);
  await settle(pid);
  const backup = await visit(port, makeBackup(dataDir));
  return { bare: bareTimes, idle, messages: { ...visits, refused: visits.refused + stored.refused }, backup };
}

/** The medians of several starts. @param {Stalls[]} starts @returns {Stalls} */
export function mergeStalls(starts) {
  const merge = (/** @type {keyof Stalls} */ state) => mergeVisits(starts.map((stalls) => stalls[state]));
  return {
    bare: merge("bare"),
    idle: merge("idle"),
    messages: merge("messages"),
    backup: merge("backup"),
    opening: merge("opening"),
  };
}

/** The medians of several runs. @param {import("./generators/fixed-rate.mjs").FixedRateResult[]} runs */
export function mergeVisits(runs) {
  const of = (/** @type {keyof import("./generators/fixed-rate.mjs").FixedRateResult} */ key) =>
    median(runs.map((run) => run[key]));
  return { count: of("count"), refused: of("refused"), p50Ms: of("p50Ms"), p99Ms: of("p99Ms"), maxMs: of("maxMs") };
}

/** @param {number} port @param {Promise<unknown>} until */
async function visit(port, until) {
  const times = await sendAtRate({ port, perSecond: visitsPerSecond, request: home, until });
  await until;
  return times;
}

/** @param {string} dataDir of the running product */
function makeBackup(dataDir) {
  const env = { PATH: process.env.PATH, NODE_ENV: "production", DATA_DIR: dataDir };
  return promisify(execFile)(process.execPath, [site, "backup"], { env: /** @type {NodeJS.ProcessEnv} */ (env) });
}

/** @param {number} port */
async function untilAnswered(port) {
  while (!(await fetch(`http://127.0.0.1:${port}/`).catch(() => null))?.ok) await wait(5);
}
