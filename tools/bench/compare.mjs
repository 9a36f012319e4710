import { ask } from "../../tests/support/ask.mjs";
import { median } from "../median.mjs";
import { load } from "./load.mjs";
import { settle } from "./servers.mjs";

/** Headers that `node:http` creates for every response, on both sides. */
const perResponse = new Set(["date", "connection", "keep-alive"]);

/**
 * Loads the product and the bare server in turn, so that other load on the machine affects both.
 * @param {{ requests: import("./requests.mjs").KnownRequest[], product: { pid: number, port: number },
 *   bare: Awaited<ReturnType<typeof import("./servers.mjs").startBareServer>>, rounds: number, seconds: number }} plan
 * @returns {Promise<number>} the bare server's processor time per request, divided by the product's. This ratio does
 *   not need a load generator that is faster than the servers
 */
export async function compareProcessorTime({ requests, product, bare, rounds, seconds }) {
  const measure = async (/** @type {{ pid: number, port: number }} */ { pid, port }, duration = seconds) => {
    const before = await settle(pid);
    const { count, refused } = await load({ port, seconds: duration, connections: 32, requests });
    if (refused > 0) throw new Error(`${refused} of ${count} responses had an unexpected status.`);
    return ((await settle(pid)) - before) / count;
  };
  await bare.give(await prepareResponses(requests, product));
  for (const server of [product, bare]) await measure(server, 1);
  const ratios = [];
  for (let round = 0; round < rounds; round++) {
    const ofProduct = await measure(product);
    ratios.push((await measure(bare)) / ofProduct);
  }
  return median(ratios);
}

/**
 * Requests everything from the product twice, so that the second response comes from its cache if it has one.
 * @param {import("./requests.mjs").KnownRequest[]} requests @param {{ pid: number, port: number }} product
 * @returns one response per request, in the bare server's format
 */
async function prepareResponses(requests, { pid, port }) {
  const distinct = new Map(requests.map((request) => [JSON.stringify(request), request]));
  for (const request of distinct.values()) await ask(port, request);
  await settle(pid);
  /** @type {Map<string, { status: number, headers: string[], body: Buffer }>} */
  const responses = new Map();
  for (const [key, request] of distinct) {
    const { status, headers, body } = await ask(port, request);
    if (status !== request.status) throw new Error(`${request.path}: ${status} instead of ${request.status}`);
    const kept = headers.filter((_text, index) => !perResponse.has(headers[index - (index % 2)]?.toLowerCase() ?? ""));
    responses.set(key, { status, headers: kept, body });
  }
  return requests.flatMap((request) => responses.get(JSON.stringify(request)) ?? []);
}
