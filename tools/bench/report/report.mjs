import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { messagesPerSecond, visitsPerSecond } from "../stalls.mjs";
import { compareTable, costTable, startTable, viewTable } from "./tables.mjs";
import { judge, leastBusy } from "./targets.mjs";
import { inMegabytes, inMs, percent, table, whole } from "./units.mjs";

/**
 * Everything that one bench measured; medians of its starts.
 * @typedef {{ generator: string, comparisons: import("../compare.mjs").Comparison[],
 *   dayWithForms: import("../chain.mjs").DayWithForms, stalls: import("../stalls.mjs").Stalls,
 *   costs: import("../costs.mjs").Cost[], chain: Awaited<ReturnType<typeof import("../chain.mjs").measureChain>>,
 *   starts: Awaited<ReturnType<typeof import("../starts.mjs").measureStarts>>, views: import("../first-view.mjs").FirstView[],
 *   loaded: { nowMb: number, peakMb: number }, times: number, rounds: number, seconds: number }} BenchFigures
 */

/**
 * Says in words and tables what was measured, and against each target whether it was reached.
 * @param {BenchFigures} figures
 * @returns {{ text: string, missed: string[] }} Markdown, and the targets that were missed
 */
export function report(figures) {
  const targets = judge(figures);
  const text = [
    "# Speed and size",
    "",
    ...introduce(figures),
    "",
    "## Against the targets",
    "",
    ...table(
      ["What", "Target", "Measured", ""],
      targets.map((each) => [each.what, each.target, each.measured, each.reached ? "reached" : "**missed**"]),
    ),
    "",
    "## The product and the bare server",
    "",
    "Ratios are the median of the rounds' own ratios. Processor time is that of one request.",
    "",
    ...compareTable(figures.comparisons),
    "",
    "## A day",
    "",
    ...describeDay(figures),
    "",
    "## Visitors at a fixed rate",
    "",
    ...describeStalls(figures.stalls),
    "",
    "## What must be rendered or stored",
    "",
    "Processor time of one, all threads and all that is done after the answer; the inbox is asked for on 2 connections, messages are sent",
    "on 32, the others on 8. Before is the same on 2026-11-22, where it had been measured.",
    "",
    ...costTable(figures.costs),
    "",
    "## Starts and memory",
    "",
    ...startTable(figures.starts),
    "",
    "Pages are answered before the backend is there; idle is four seconds after all of them are in memory. After everything that is",
    `compared with the bare server, the embedded product held ${inMegabytes(figures.loaded.nowMb)}; its most was ${inMegabytes(figures.loaded.peakMb)}.`,
    "",
    "## First view",
    "",
    "The page with its styles, brotli, once the pages are in memory; on the wire with all headers of the answer.",
    "",
    ...viewTable(figures.views),
    "",
  ].join("\n");
  return { text, missed: targets.filter(({ reached }) => !reached).map(({ what }) => what) };
}

/** @param {BenchFigures} figures @returns {string[]} */
function introduce({ generator, times, rounds, seconds }) {
  const [processor] = cpus();
  const [loadAverage] = readFileSync("/proc/loadavg", "utf8").split(" ");
  return [
    `\`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: Node ${process.versions.node}, ${cpus().length} × ${processor?.model.trim()},`,
    `load average at the end ${loadAverage}. The built product with all its security, its database full (10,000 messages), against a bare`,
    "`node:http` server that gives the same bytes and headers from memory, in turn: the median of",
    `${times} starts with ${rounds} rounds of ${seconds} s each after a warm-up. POST_RATE_LIMIT=0 where nothing else is said. The generator is`,
    `${generator}, one thread on 32 kept connections. Where the bare server was busy for less than ${percent(leastBusy)} of the time,`,
    "the generator set the pace and flatters the product; the target is then held against the ratio of processor times.",
    "Cookies and queries are those of `tests/support/real-requests.mjs`.",
  ];
}

/** @param {BenchFigures} figures @returns {string[]} */
function describeDay({ dayWithForms, chain }) {
  const { ways, limited } = chain;
  return [
    "The kinds of requests and their shares are in `tools/bench/requests/day.mjs`; on top of a hundred GETs come three forms with a mistake and",
    "one message that is kept. The times are those of visitors beside it, who ask for `GET /` at a fixed rate, from when each was due:",
    "",
    ...table(
      ["A day with forms", "A second", "Median from memory", "p99", "Slowest", "Visits"],
      [
        ["limits off", ...describeDayWithForms(dayWithForms)],
        ["limits at their defaults", ...describeDayWithForms(limited)],
      ],
    ),
    "",
    "The day of GETs as an operator serves it, limits at their defaults; proxy, product and generator share the machine:",
    "",
    ...table(
      ["Proxy with TLS", "A second", "p99"],
      ways.map(({ way, result }) =>
        result ? [way, whole(result.perSecond), inMs(result.p99Ms)] : [way, "not measured: not installed", ""],
      ),
    ),
  ];
}

/** @param {import("../chain.mjs").DayWithForms} day */
function describeDayWithForms({ perSecond, visits }) {
  return [whole(perSecond), inMs(visits.p50Ms), inMs(visits.p99Ms), inMs(visits.maxMs), whole(visits.count)];
}

/** @param {import("../stalls.mjs").Stalls} stalls @returns {string[]} */
function describeStalls({ bare, idle, messages, backup, opening }) {
  return [
    `\`GET /\`, ${visitsPerSecond} a second, whether or not earlier ones have been answered; from when each was due to its last byte.`,
    "",
    ...table(
      ["Meanwhile", "Median", "p99", "Slowest", "Visits", "Refused"],
      /** @type {[string, import("../generators/fixed-rate.mjs").FixedRateResult][]} */ ([
        ["nothing, bare server", bare],
        ["nothing", idle],
        [`${messagesPerSecond} messages a second are stored`, messages],
        ["a backup is taken", backup],
        ["the database opens at a start", opening],
      ]).map(([name, { count, refused, p50Ms, p99Ms, maxMs }]) => [
        name,
        inMs(p50Ms),
        inMs(p99Ms),
        inMs(maxMs),
        whole(count),
        whole(refused),
      ]),
    ),
  ];
}
