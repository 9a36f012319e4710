import { setTimeout as wait } from "node:timers/promises";
import { median } from "./median.mjs";
import { makeFolder, readMemory, startHostedStub, startProduct } from "./servers/servers.mjs";

/**
 * Starts of one kind.
 * @typedef {import("./servers/servers.mjs").StartTimes & { idleMb: number, peakMb: number }} StartFigures medians; memory is
 *   resident, `idleMb` some time after all pages are in memory, `peakMb` the most that it ever was until then
 */

/** What is left of the start is over by then: a first delivery of mail, garbage. */
const idleAfterMs = 4_000;

/**
 * Measures starts on a new data folder, on one that exists, and with a hosted backend.
 * @param {number} times each
 * @returns {Promise<{ cold: StartFigures, warm: StartFigures, hosted: StartFigures }>}
 */
export async function measureStarts(times) {
  /** @type {StartFigures[]} */
  const cold = [];
  /** @type {StartFigures[]} */
  const warm = [];
  /** @type {StartFigures[]} */
  const hosted = [];
  const stub = await startHostedStub();
  try {
    for (let time = 0; time < times; time++) {
      const folder = await makeFolder();
      cold.push(await measureStart(folder.path));
      warm.push(await measureStart(folder.path));
      hosted.push(await measureStart(folder.path, stub.settings));
      await folder.remove();
    }
  } finally {
    stub.close();
  }
  return { cold: medians(cold), warm: medians(warm), hosted: medians(hosted) };
}

/** @param {string} dataDir @param {Record<string, string>} [settings] @returns {Promise<StartFigures>} */
async function measureStart(dataDir, settings) {
  const product = await startProduct({ dataDir, settings });
  try {
    await wait(idleAfterMs);
    const { nowMb, peakMb } = await readMemory(product.pid);
    const { firstPageMs, readyMs } = product;
    return { firstPageMs, readyMs, idleMb: nowMb, peakMb };
  } finally {
    await product.stop();
  }
}

/** @param {StartFigures[]} figures @returns {StartFigures} */
function medians(figures) {
  const of = (/** @type {keyof StartFigures} */ key) => median(figures.map((figure) => figure[key]));
  return { firstPageMs: of("firstPageMs"), readyMs: of("readyMs"), idleMb: of("idleMb"), peakMb: of("peakMb") };
}
