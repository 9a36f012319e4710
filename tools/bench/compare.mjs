import { ask } from "../../tests/support/ask.mjs";
import { median } from "../median.mjs";
import { load } from "./load.mjs";
import { measureSaturated, settle } from "./servers.mjs";

/** Headers that `node:http` creates for every response, on both sides. */
const perResponse = new Set(["date", "connection", "keep-alive"]);

/** @typedef {{ pid: number, port: number }} Server */

/**
 * Compares the costs of a request for the product and for the bare server, under two loads. Loads them in turn, so that
 * other load on the machine affects both.
 * @param {{ requests: import("./requests.mjs").KnownRequest[], product: Server,
 *   bare: Awaited<ReturnType<typeof import("./servers.mjs").startBareServer>>, rounds: number, seconds: number }} plan
 * @returns the bare server's processor time of a request, divided by the product's. `light`: while this process loads
 *   it. `saturated`: with a core each for server and load
 */
export async function compare({ requests, product, bare, rounds, seconds }) {
  await bare.give(await prepareResponses(requests, product));
  const compareBy = async (/** @type {(server: Server, seconds: number) => Promise<number>} */ measure) => {
    for (const server of [product, bare]) await measure(server, 1);
    const ratios = [];
    for (let round = 0; round < rounds; round++) {
      const ofProduct = await measure(product, seconds);
      ratios.push((await measure(bare, seconds)) / ofProduct);
    }
    return median(ratios);
  };
  const light = await compareBy(async ({ pid, port }, duration) => {
    const before = await settle(pid);
    const { count, refused } = await load({ port, seconds: duration, connections: 32, requests });
    if (refused > 0) throw new Error(`${refused} of ${count} responses had an unexpected status.`);
    return ((await settle(pid)) - before) / count;
  });
  const saturated = await compareBy((server, duration) => measureSaturated(server, duration, requests));
  return { light, saturated };
}

/**
 * Requests everything from the product twice, so that the second response comes from its cache if it has one.
 * @param {import("./requests.mjs").KnownRequest[]} requests @param {Server} product
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
