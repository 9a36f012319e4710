import { firstFlightBytes, inKilobytes, inMegabytes, inMs, inSeconds } from "./units.mjs";

/** @typedef {{ what: string, target: string, measured: string, reached: boolean }} Target */

/** A server that uses less of its processor waits for the generator, whose speed its requests a second then show. */
export const leastBusy = 0.9;

/** Limits of what the product promises, in the units of their names. */
const limits = {
  memoryP99Ms: 20,
  /** the larger of this and twice the p99 of a site that does nothing else */
  messagesP99Ms: 10,
  stallP99Ms: 50,
  acceptedPerSecond: 100,
  acceptedP99Ms: 400,
  embeddedMb: 350,
  hostedMb: 110,
  warmMs: 2_000,
};

/** Milliseconds of processor time, in the order of `measureCosts`; `before` is that of 2026-11-22, before this was looked at. */
export const costLimits = [
  { limit: 2.5, before: 5.5 },
  { limit: 4, before: null },
  { limit: 40, before: 100 },
  { limit: 12, before: 32 },
];

/**
 * Holds what was measured against what is promised.
 * @param {import("./report.mjs").BenchFigures} figures
 * @returns {Target[]}
 */
export function judge({ comparisons, dayWithForms, stalls, costs, starts, views }) {
  const largest = views.toSorted((a, b) => b.bytes - a.bytes)[0] ?? { path: "", bytes: Number.NaN };
  const first = views.find(({ path }) => path === "/") ?? largest;
  const accepted = costs.at(-1) ?? { perSecond: Number.NaN, p99Ms: Number.NaN, refused: Number.NaN };
  const acceptedPerSecond = accepted.perSecond * (1 - accepted.refused);
  const duringMessages = Math.max(limits.messagesP99Ms, 2 * stalls.idle.p99Ms);
  return [
    ...comparisons.flatMap((comparison) => [judgeSpeed(comparison), ...judgeTail(comparison)]),
    atMost("A day with forms: p99 from memory", dayWithForms.visits.p99Ms, limits.memoryP99Ms, inMs),
    atMost("p99 while messages are stored", stalls.messages.p99Ms, duringMessages, inMs),
    atMost("p99 while a backup is taken", stalls.backup.p99Ms, limits.stallP99Ms, inMs),
    atMost("p99 while the database opens", stalls.opening.p99Ms, limits.stallP99Ms, inMs),
    ...costs.map(({ name, processorMs }, place) =>
      atMost(`${name}: processor time`, processorMs, costLimits[place]?.limit ?? Number.NaN, inMs),
    ),
    {
      what: "Messages accepted a second",
      target: `at least ${limits.acceptedPerSecond}`,
      measured: acceptedPerSecond.toFixed(0),
      reached: acceptedPerSecond >= limits.acceptedPerSecond,
    },
    atMost("Message accepted: p99", accepted.p99Ms, limits.acceptedP99Ms, inMs),
    atMost("First view of /", first.bytes, firstFlightBytes, inKilobytes),
    atMost(`Largest first view (${largest.path})`, largest.bytes, firstFlightBytes, inKilobytes),
    atMost("Idle memory, embedded, after the very first start", starts.cold.idleMb, limits.embeddedMb, inMegabytes),
    atMost("Most memory of the very first start", starts.cold.peakMb, limits.embeddedMb, inMegabytes),
    atMost("Idle memory, embedded, started again", starts.warm.idleMb, limits.embeddedMb, inMegabytes),
    atMost("Idle memory, hosted backend", starts.hosted.idleMb, limits.hostedMb, inMegabytes),
    atMost("First 200, started again", starts.warm.firstPageMs, limits.warmMs, inSeconds),
  ];
}

/** @param {import("../compare.mjs").Comparison} comparison @returns {Target} */
function judgeSpeed({ name, least, bare, ratios }) {
  const isLimitedByGenerator = bare.busy < leastBusy;
  const ratio = isLimitedByGenerator ? 1 / ratios.processor : ratios.perSecond;
  return {
    what: `${name}: requests a second`,
    target: `at least ${least} of bare`,
    measured: `${ratio.toFixed(2)}${isLimitedByGenerator ? ", by processor time" : ""}`,
    reached: ratio >= least,
  };
}

/** @param {import("../compare.mjs").Comparison} comparison @returns {Target[]} */
function judgeTail({ name, maxP99, ratios }) {
  if (maxP99 === null) return [];
  return [atMost(`${name}: p99`, ratios.p99, maxP99, (ratio) => `${ratio.toFixed(2)} × bare`)];
}

/**
 * A figure that must not be larger than its limit.
 * @param {string} what @param {number} value @param {number} limit @param {(value: number) => string} write
 * @returns {Target}
 */
function atMost(what, value, limit, write) {
  return { what, target: `at most ${write(limit)}`, measured: write(value), reached: value <= limit };
}
