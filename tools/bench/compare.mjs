import { ask } from "./generators/ask.mjs";
import { median } from "./median.mjs";
import { readProcessorSeconds, settle } from "./servers/servers.mjs";

/** @typedef {(plan: import("./generators/autocannon.mjs").LoadPlan) => Promise<import("./generators/autocannon.mjs").LoadResult>} Load */

/**
 * One server under one kind of request: the medians of all rounds.
 * @typedef {{ perSecond: number, p99Ms: number, processorUs: number, busy: number }} Figures `processorUs` a request,
 *   with what is done after the answer; `busy` is the share of one processor, of 1, that the server used
 */

/**
 * Both servers, and the product's part of the bare server's figure: the median of the rounds' ratios. `each` holds every
 * start's own ratio of requests a second.
 * @typedef {{ name: string, least: number, maxP99: number | null, product: Figures, bare: Figures,
 *   ratios: { perSecond: number, p99: number, processor: number }, each: number[] }} Comparison
 */

const connections = 32;

/** Made anew by `node:http` for every answer, on both sides. */
const perAnswer = new Set(["date", "connection", "keep-alive"]);

/**
 * Loads the product and the bare server in turn, so that whatever else the machine does meets both.
 * @param {import("./requests/scenarios.mjs").Scenario} scenario
 * @param {{ product: { pid: number, port: number }, bare: Awaited<ReturnType<typeof import("./servers/servers.mjs").startBareServer>>,
 *   load: Load, rounds: number, seconds: number, warmUpSeconds: number }} plan
 * @returns {Promise<Comparison>}
 * @throws when an answer has another status than its request says
 */
export async function compare({ name, requests, least, maxP99 }, { product, bare, load, rounds, ...plan }) {
  const measure = async (/** @type {{ pid: number, port: number }} */ { pid, port }, /** @type {number} */ seconds) => {
    const begin = await readProcessorSeconds(pid);
    const startedAt = performance.now();
    const result = await load({ port, seconds, connections, requests });
    const atOnce = (await readProcessorSeconds(pid)) - begin;
    const elapsedSeconds = (performance.now() - startedAt) / 1000;
    checkErrors(name, requests, result);
    const used = (await settle(pid)) - begin;
    const processorUs = (used / result.requests) * 1e6;
    return { perSecond: result.perSecond, p99Ms: result.p99Ms, processorUs, busy: atOnce / elapsedSeconds };
  };
  await bare.give(await prepareAnswers(requests, product));
  for (const server of [product, bare]) await measure(server, plan.warmUpSeconds);
  /** @type {Figures[]} */
  const ofProduct = [];
  /** @type {Figures[]} */
  const ofBare = [];
  for (let round = 0; round < rounds; round++) {
    ofProduct.push(await measure(product, plan.seconds));
    ofBare.push(await measure(bare, plan.seconds));
  }
  const ratio = (/** @type {keyof Figures} */ key) =>
    median(ofProduct.map((figures, round) => figures[key] / (ofBare[round]?.[key] ?? Number.NaN)));
  const ratios = { perSecond: ratio("perSecond"), p99: ratio("p99Ms"), processor: ratio("processorUs") };
  return { name, least, maxP99, product: medians(ofProduct), bare: medians(ofBare), ratios, each: [ratios.perSecond] };
}

/** The medians of several starts. @param {Comparison[]} starts of one scenario @returns {Comparison} */
export function mergeStarts(starts) {
  const [first] = starts;
  if (first === undefined) throw new Error("There was no start.");
  const ratio = (/** @type {keyof Comparison["ratios"]} */ key) => median(starts.map(({ ratios }) => ratios[key]));
  return {
    ...first,
    product: medians(starts.map(({ product }) => product)),
    bare: medians(starts.map(({ bare }) => bare)),
    ratios: { perSecond: ratio("perSecond"), p99: ratio("p99"), processor: ratio("processor") },
    each: starts.flatMap(({ each }) => each),
  };
}

/**
 * Asks the product for everything once, so that it puts into memory what it keeps there, and then for the answers.
 * @param {import("./requests/requests.mjs").KnownRequest[]} requests @param {{ pid: number, port: number }} product
 * @returns one a request, as the bare server takes them
 * @throws when an answer has another status than its request says
 */
export async function prepareAnswers(requests, { pid, port }) {
  const distinct = new Map(requests.map((request) => [JSON.stringify(request), request]));
  for (const request of distinct.values()) await ask(port, request);
  await settle(pid);
  /** @type {Map<string, ReturnType<typeof copyAnswer>>} */
  const answers = new Map();
  for (const [key, request] of distinct) {
    const answer = await ask(port, request);
    if (answer.status !== request.status) {
      throw new Error(`${request.path} was answered with ${answer.status} instead of ${request.status}.`);
    }
    answers.set(key, copyAnswer(answer));
  }
  return requests.flatMap((request) => answers.get(JSON.stringify(request)) ?? []);
}

/** @param {Awaited<ReturnType<typeof ask>>} answer */
function copyAnswer({ status, headers, body }) {
  const kept = headers.filter((_text, index) => !perAnswer.has(headers[index - (index % 2)]?.toLowerCase() ?? ""));
  return { status, headers: kept, body };
}

/**
 * Under load only errors are counted: as many as are due, give or take the last turn of each connection.
 * @param {string} name @param {import("./requests/requests.mjs").KnownRequest[]} requests @param {import("./generators/autocannon.mjs").LoadResult} result
 */
export function checkErrors(name, requests, result) {
  const due = (requests.filter(({ status }) => status >= 400).length / requests.length) * result.requests;
  if (Math.abs(result.errorAnswers - due) <= (due === 0 ? 0 : requests.length)) return;
  throw new Error(
    `${name}: ${result.errorAnswers} answers of ${result.requests} were errors; ${due.toFixed(0)} were due.`,
  );
}

/** @param {Figures[]} figures @returns {Figures} */
function medians(figures) {
  const of = (/** @type {keyof Figures} */ key) => median(figures.map((figure) => figure[key]));
  return { perSecond: of("perSecond"), p99Ms: of("p99Ms"), processorUs: of("processorUs"), busy: of("busy") };
}
