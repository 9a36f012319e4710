import { setTimeout as wait } from "node:timers/promises";
import { ask } from "./ask.mjs";
import { load } from "./load.mjs";
import { readProcessorSeconds } from "./servers.mjs";

/**
 * One server under one kind of request: the medians of all rounds.
 * @typedef {{ perSecond: number, p99Ms: number, processorUs: number, busy: number }} Figures `processorUs` a request,
 *   with what is done after the answer; `busy` is the share of one processor, of 1, that the server used
 */

/**
 * Both servers, and the product's part of the bare server's figure: the median of the rounds' ratios.
 * @typedef {{ name: string, least: number | null, product: Figures, bare: Figures,
 *   ratios: { perSecond: number, p99: number, processor: number } }} Comparison
 */

/** Made anew by `node:http` for every answer, on both sides. */
const perAnswer = new Set(["date", "connection", "keep-alive"]);

/**
 * Loads the product and the bare server in turn, so that whatever else the machine does meets both.
 * @param {import("./scenarios.mjs").Scenario} scenario
 * @param {{ product: { pid: number, port: number }, bare: Awaited<ReturnType<typeof import("./servers.mjs").startBareServer>>,
 *   rounds: number, seconds: number, warmUpSeconds: number }} plan
 * @returns {Promise<Comparison>}
 * @throws when an answer has another status than the scenario's
 */
export async function compare(scenario, { product, bare, rounds, seconds, warmUpSeconds }) {
  await bare.give(copyAnswer(await ask(product.port, scenario.request)));
  const servers = [product, bare];
  for (const server of servers) await measure(server, scenario, warmUpSeconds);
  /** @type {Figures[][]} */
  const figures = [[], []];
  for (let round = 0; round < rounds; round++) {
    for (const [index, server] of servers.entries()) figures[index]?.push(await measure(server, scenario, seconds));
  }
  const [ofProduct = [], ofBare = []] = figures;
  const ratio = (/** @type {keyof Figures} */ key) =>
    median(ofProduct.map((figure, round) => figure[key] / (ofBare[round]?.[key] ?? Number.NaN)));
  return {
    name: scenario.name,
    least: scenario.least,
    product: medians(ofProduct),
    bare: medians(ofBare),
    ratios: { perSecond: ratio("perSecond"), p99: ratio("p99Ms"), processor: ratio("processorUs") },
  };
}

/** The middle one of several values, or the mean of the two in the middle. @param {number[]} values */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

/**
 * @param {{ pid: number, port: number }} server @param {import("./scenarios.mjs").Scenario} scenario
 * @param {number} seconds @returns {Promise<Figures>}
 */
async function measure({ pid, port }, { name, status, connections, request }, seconds) {
  const before = await readProcessorSeconds(pid);
  const startedAt = performance.now();
  const result = await load({ port, seconds, connections, requests: [request] });
  const others = Object.keys(result.statuses).filter((found) => found !== String(status));
  if (others.length > 0) throw new Error(`${name} was answered with ${others.join(", ")} instead of ${status}.`);
  const atOnce = (await readProcessorSeconds(pid)) - before;
  const elapsedSeconds = (performance.now() - startedAt) / 1000;
  const used = (await settle(pid)) - before;
  return {
    perSecond: result.perSecond,
    p99Ms: result.p99Ms,
    processorUs: (used / result.requests) * 1e6,
    busy: atOnce / elapsedSeconds,
  };
}

/**
 * Waits until a server has nothing left to do (mail goes out after the answer), so that the next run has the machine.
 * @param {number} pid @returns {Promise<number>} its processor seconds then
 */
async function settle(pid) {
  const deadline = Date.now() + 15_000;
  let before = await readProcessorSeconds(pid);
  for (;;) {
    await wait(200);
    const now = await readProcessorSeconds(pid);
    if (now - before <= 0.01 || Date.now() > deadline) return now;
    before = now;
  }
}

/** @param {Awaited<ReturnType<typeof ask>>} answer */
function copyAnswer({ status, headers, body }) {
  const kept = headers.filter((_text, index) => !perAnswer.has(headers[index - (index % 2)]?.toLowerCase() ?? ""));
  return { status, headers: kept, body };
}

/** @param {Figures[]} figures @returns {Figures} */
function medians(figures) {
  const of = (/** @type {keyof Figures} */ key) => median(figures.map((figure) => figure[key]));
  return {
    perSecond: of("perSecond"),
    p99Ms: of("p99Ms"),
    processorUs: of("processorUs"),
    busy: of("busy"),
  };
}
