import { setTimeout as wait } from "node:timers/promises";
import { compare } from "./compare.mjs";
import { makeScenarios } from "./scenarios.mjs";
import { startProduct } from "./servers.mjs";

/** What every further start is asked: the two answers that take the least time, and so show the most. */
const asked = ["GET / brotli", "GET / 304"];

/** Left alone for so long, V8 tidies up, and forgets what it has learned of things that it finds unused. */
const idleMs = 10_000;

/**
 * The bare server's processor time a request as a part of the product's, one for each further start of the same build.
 * @typedef {{ name: string, ratios: number[] }} MoreStarts
 */

/**
 * Starts the product anew several times, and compares each start with the bare server: what one process has learned of its
 * own code while it started stays with it for life, and may differ.
 * @param {{ count: number, dataDir: string, bare: Awaited<ReturnType<typeof import("./servers.mjs").startBareServer>>,
 *   seconds: number, warmUpSeconds: number }} plan
 * @returns {Promise<MoreStarts[]>}
 */
export async function compareMoreStarts({ count, dataDir, ...plan }) {
  const found = asked.map((name) => ({ name, ratios: /** @type {number[]} */ ([]) }));
  for (let start = 0; start < count; start++) {
    const product = await startProduct({ dataDir });
    try {
      await wait(idleMs);
      const scenarios = await makeScenarios(product.port);
      for (const { name, ratios } of found) {
        const scenario = scenarios.find((each) => each.name === name);
        if (!scenario) throw new Error(`There is no scenario ${name}.`);
        ratios.push(1 / (await compare(scenario, { ...plan, product, rounds: 5 })).ratios.processor);
      }
    } finally {
      await product.stop();
    }
  }
  return found;
}
