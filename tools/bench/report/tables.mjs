import { costLimits } from "./targets.mjs";
import { inKilobytes, inMegabytes, inMs, inSeconds, percent, table, whole } from "./units.mjs";

/** @param {import("../compare.mjs").Comparison[]} comparisons @returns {string[]} */
export function compareTable(comparisons) {
  return table(
    ["Request", "A second", "Bare", "Ratio", "Each start", "p99", "Bare", "Ratio", "Processor", "Bare", "Busy", "Bare"],
    comparisons.map(({ name, product, bare, ratios, each }) => [
      name,
      whole(product.perSecond),
      whole(bare.perSecond),
      `**${ratios.perSecond.toFixed(3)}**`,
      each.map((ratio) => ratio.toFixed(2)).join(", "),
      inMs(product.p99Ms),
      inMs(bare.p99Ms),
      ratios.p99.toFixed(2),
      `${whole(product.processorUs)} µs`,
      `${whole(bare.processorUs)} µs`,
      percent(product.busy),
      percent(bare.busy),
    ]),
  );
}

/** @param {import("../costs.mjs").Cost[]} costs @returns {string[]} */
export function costTable(costs) {
  return table(
    ["", "Processor", "Before", "A second", "p99", "Refused"],
    costs.map(({ name, processorMs, perSecond, p99Ms, refused }, place) => {
      const { before = null } = costLimits[place] ?? {};
      const then = before === null ? "–" : inMs(before);
      return [name, inMs(processorMs), then, whole(perSecond), inMs(p99Ms), percent(refused)];
    }),
  );
}

/** @param {import("../first-view.mjs").FirstView[]} views @returns {string[]} */
export function viewTable(views) {
  return table(
    ["Page", "On the wire", "Without headers", "Style sheets beside it"],
    views.map((view) => [view.path, inKilobytes(view.bytes), inKilobytes(view.bodyBytes), String(view.styleSheets)]),
  );
}

/** @param {import("./report.mjs").BenchFigures["starts"]} starts @returns {string[]} */
export function startTable({ cold, warm, hosted }) {
  /** @type {[string, import("../starts.mjs").StartFigures][]} */
  const kinds = [
    ["Embedded, new data folder", cold],
    ["Embedded, started again", warm],
    ["Hosted backend", hosted],
  ];
  return table(
    ["", "First 200 after", "Backend there after", "Idle", "Most during the start"],
    kinds.map(([name, { firstPageMs, readyMs, idleMb, peakMb }]) => [
      name,
      inSeconds(firstPageMs),
      inSeconds(readyMs),
      inMegabytes(idleMb),
      inMegabytes(peakMb),
    ]),
  );
}
