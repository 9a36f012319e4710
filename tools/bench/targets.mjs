import { median } from "../median.mjs";

/** Measured values by the names of targets. @typedef {Record<string, number>} Figures */
/** @typedef {{ what: string, least?: number, saturated?: number, most?: number, unit?: string, digits?: number }} Target */

/** Performance targets of the product. Those without a unit are ratios to the bare server. */
const targets = {
  pages: { what: "Any page", least: 0.5, saturated: 0.5 },
  visited: { what: "Any page with any query and cookie jar", least: 0.5, saturated: 0.45 },
  known: { what: "304 of any page", least: 0.55, saturated: 0.5 },
  missing: { what: "404 to robots", least: 0.35, saturated: 0.35 },
  day: { what: "A day of GETs", least: 0.45, saturated: 0.45 },
  pageP99Ms: { what: "p99 of a page while 20 messages a second are stored", most: 10, unit: "ms", digits: 1 },
  messageProcessorMs: { what: "Processor time of a message", most: 20, unit: "ms", digits: 1 },
  messagesPerSecond: { what: "Messages accepted a second", least: 50, unit: "", digits: 0 },
  messageP99Ms: { what: "p99 of a message", most: 500, unit: "ms", digits: 0 },
  inboxProcessorMs: { what: "Processor time of the inbox with 10,000 messages", most: 40, unit: "ms", digits: 1 },
  idleMb: { what: "Idle memory", most: 350, unit: "MB", digits: 0 },
  firstPageMs: { what: "First 200 after a restart", most: 1000, unit: "ms", digits: 0 },
  readyMs: { what: "Backend ready after a restart", most: 3000, unit: "ms", digits: 0 },
};

/**
 * Compares the medians of all starts with the targets.
 * @param {Figures[]} starts @param {string[]} introduction
 * @returns {{ text: string, missed: string[] }} Markdown, and the names of missed targets
 */
export function describe(starts, introduction) {
  const all = Object.entries(/** @type {Record<string, Target>} */ (targets)).flatMap(([name, target]) => {
    const beside = { what: `${target.what}, saturated`, least: target.saturated };
    return [[name, target], ...(target.saturated === undefined ? [] : [[`${name}Saturated`, beside]])];
  });
  const rows = /** @type {[string, Target][]} */ (all).map(([name, target]) => {
    const { what, least = -Infinity, most = Infinity, unit = "", digits = 2 } = target;
    const value = median(starts.map((figures) => figures[name] ?? Number.NaN));
    const limit = target.least === undefined ? `at most ${most}` : `at least ${least}`;
    const cells = [what, `${limit} ${unit}`, `${value.toFixed(digits)} ${unit}`];
    return { what, cells, isReached: value >= least && value <= most };
  });
  const lines = rows.map(
    ({ cells, isReached }) => `| ${cells.join(" | ")} | ${isReached ? "reached" : "**missed**"} |`,
  );
  const head = [
    "# Speed and size",
    "",
    ...introduction,
    "",
    "| What | Target | Measured | |",
    "| --- | --- | --- | --- |",
  ];
  return {
    text: [...head, ...lines, ""].join("\n"),
    missed: rows.filter(({ isReached }) => !isReached).map(({ what }) => what),
  };
}
