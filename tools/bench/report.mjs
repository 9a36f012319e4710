import { readFileSync } from "node:fs";
import { cpus } from "node:os";

/**
 * Everything that one bench measured.
 * @typedef {{ comparisons: import("./compare.mjs").Comparison[],
 *   starts: Awaited<ReturnType<typeof import("./starts.mjs").measureStarts>>, views: import("./first-view.mjs").FirstView[],
 *   loaded: { nowMb: number, peakMb: number }, moreStarts: import("./cold-start-variance.mjs").MoreStarts[], rounds: number, seconds: number }} BenchFigures
 */

/** Limits of what the product promises; 14 kB fit the first flight of a new connection (RFC 6928: 10 segments). */
const limits = { p99: 3, firstViewBytes: 14_000, embeddedMb: 350, hostedMb: 110, warmMs: 2_000 };

/** A server that uses less of its processor waits for the generator, whose speed its requests a second then show. */
const leastBusy = 0.9;

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
      targets.map(({ what, target, measured, reached }) => [
        what,
        target,
        measured,
        reached ? "reached" : "**missed**",
      ]),
    ),
    "",
    "## The product and the bare server",
    "",
    "Ratios are the median of the rounds' own ratios. Processor time holds what is done after the answer, such as mail.",
    "",
    ...compareTables(figures.comparisons),
    "",
    "More starts of the same build, each left alone for ten seconds first: the bare server's processor time a request as a part of",
    "the product's:",
    "",
    ...figures.moreStarts.map(({ name, ratios }) => `- ${name}: ${ratios.map((ratio) => ratio.toFixed(2)).join(", ")}`),
    "",
    "## Starts and memory",
    "",
    ...table(
      ["", "First 200 after", "Backend there after", "Idle", "Most during the start"],
      startRows(figures.starts),
    ),
    "",
    "Pages are answered before the backend is there; idle is four seconds after all of them are in memory.",
    "",
    `After everything above, the embedded product held ${mb(figures.loaded.nowMb)}; its most was ${mb(figures.loaded.peakMb)}.`,
    "",
    "## First view",
    "",
    "The page with its styles, brotli, once the pages are in memory; on the wire with all headers of the answer.",
    "",
    ...table(
      ["Page", "On the wire", "Without headers", "Style sheets beside it"],
      figures.views.map((view) => [view.path, bytes(view.bytes), bytes(view.bodyBytes), String(view.styleSheets)]),
    ),
    "",
  ].join("\n");
  return { text, missed: targets.filter(({ reached }) => !reached).map(({ what }) => what) };
}

/** @param {BenchFigures} figures @returns {string[]} */
function introduce({ rounds, seconds }) {
  const [processor] = cpus();
  return [
    `\`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: Node ${process.versions.node}, ${cpus().length} × ${processor?.model.trim()},`,
    `load average at the end ${readLoadAverage()}. The built product with all its security against a bare \`node:http\` server`,
    `that gives the same bytes and headers from memory, in turn, ${rounds} rounds of ${seconds} s each after a warm-up;`,
    "POST_RATE_LIMIT=0. The generator is autocannon on kept connections (32 for GET, 8 for POST), in one thread, which",
    "may be slower than the bare server: the last columns show who sets the pace. Where the bare server was busy for less than",
    `${percent(leastBusy)} of the time, requests a second and p99 show the generator's speed and flatter the product; the target is then`,
    "held against the ratio of processor times, which no generator can flatter.",
  ];
}

/**
 * @param {BenchFigures} figures
 * @returns {{ what: string, target: string, measured: string, reached: boolean }[]}
 */
function judge({ comparisons, starts, views }) {
  const largest = views.toSorted((a, b) => b.bytes - a.bytes)[0] ?? { path: "", bytes: Number.NaN };
  const first = views.find(({ path }) => path === "/") ?? largest;
  return [
    ...comparisons.flatMap(({ name, least, bare, ratios }) => [
      ...(least === null ? [] : [judgeSpeed(name, least, bare, ratios)]),
      ...(name.startsWith("GET")
        ? [
            {
              what: `${name}: p99`,
              target: `below ${limits.p99} × bare`,
              measured: `${ratios.p99.toFixed(2)} ×`,
              reached: ratios.p99 < limits.p99,
            },
          ]
        : []),
    ]),
    atMost("First view of /", first.bytes, limits.firstViewBytes, bytes),
    atMost(`Largest first view (${largest.path})`, largest.bytes, limits.firstViewBytes, bytes),
    atMost("Idle memory, embedded, after the very first start", starts.cold.idleMb, limits.embeddedMb),
    atMost("Most memory of the very first start", starts.cold.peakMb, limits.embeddedMb),
    atMost("Idle memory, embedded, started again", starts.warm.idleMb, limits.embeddedMb),
    atMost("Idle memory, hosted backend", starts.hosted.idleMb, limits.hostedMb),
    atMost("First 200, started again", starts.warm.firstPageMs, limits.warmMs, ms),
  ];
}

/**
 * @param {string} name @param {number} least
 * @param {import("./compare.mjs").Figures} bare @param {import("./compare.mjs").Comparison["ratios"]} ratios
 */
function judgeSpeed(name, least, bare, ratios) {
  const isLimitedByGenerator = bare.busy < leastBusy;
  const ratio = isLimitedByGenerator ? 1 / ratios.processor : ratios.perSecond;
  return {
    what: `${name}: requests a second`,
    target: `at least ${least} of bare`,
    measured: `${ratio.toFixed(2)}${isLimitedByGenerator ? ", by processor time" : ""}`,
    reached: ratio >= least,
  };
}

/** @param {import("./compare.mjs").Comparison[]} comparisons @returns {string[]} */
function compareTables(comparisons) {
  return table(
    ["Request", "A second", "Bare", "Ratio", "p99", "Bare", "Ratio", "Processor", "Bare", "Ratio", "Busy", "Bare"],
    comparisons.map(({ name, product, bare, ratios }) => [
      name,
      whole(product.perSecond),
      whole(bare.perSecond),
      `**${ratios.perSecond.toFixed(3)}**`,
      `${product.p99Ms.toFixed(2)} ms`,
      `${bare.p99Ms.toFixed(2)} ms`,
      ratios.p99.toFixed(2),
      `${whole(product.processorUs)} µs`,
      `${whole(bare.processorUs)} µs`,
      ratios.processor.toFixed(2),
      percent(product.busy),
      percent(bare.busy),
    ]),
  );
}

/** @param {BenchFigures["starts"]} starts @returns {string[][]} */
function startRows({ cold, warm, hosted }) {
  return [
    ["Embedded, new data folder", ms(cold.firstPageMs), ms(cold.readyMs), mb(cold.idleMb), mb(cold.peakMb)],
    ["Embedded, started again", ms(warm.firstPageMs), ms(warm.readyMs), mb(warm.idleMb), mb(warm.peakMb)],
    ["Hosted backend", ms(hosted.firstPageMs), ms(hosted.readyMs), mb(hosted.idleMb), mb(hosted.peakMb)],
  ];
}

/** @param {string[]} head @param {string[][]} rows @returns {string[]} */
function table(head, rows) {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
}

function readLoadAverage() {
  return readFileSync("/proc/loadavg", "utf8").split(" ")[0];
}

const whole = (/** @type {number} */ value) => Math.round(value).toLocaleString("en");
const percent = (/** @type {number} */ share) => `${Math.round(share * 100)} %`;
const ms = (/** @type {number} */ value) => `${(value / 1000).toFixed(2)} s`;
const mb = (/** @type {number} */ value) => `${Math.round(value)} MB`;
const bytes = (/** @type {number} */ value) => `${(value / 1000).toFixed(1)} kB`;

/**
 * A figure that must not be larger than its limit.
 * @param {string} what @param {number} value @param {number} limit @param {(value: number) => string} [write]
 */
function atMost(what, value, limit, write = mb) {
  return { what, target: `at most ${write(limit)}`, measured: write(value), reached: value <= limit };
}
