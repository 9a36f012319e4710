/** What fits the first flight of a new connection (RFC 6928: ten segments). */
export const firstFlightBytes = 14_000;

export const whole = (/** @type {number} */ value) => Math.round(value).toLocaleString("en");
export const percent = (/** @type {number} */ share) => `${Math.round(share * 100)} %`;
export const inMs = (/** @type {number} */ ms) => `${ms.toFixed(ms < 10 ? 2 : 1)} ms`;
export const inSeconds = (/** @type {number} */ ms) => `${(ms / 1000).toFixed(2)} s`;
export const inMegabytes = (/** @type {number} */ value) => `${Math.round(value)} MB`;
export const inKilobytes = (/** @type {number} */ value) => `${(value / 1000).toFixed(1)} kB`;

/** A table of Markdown. @param {string[]} head @param {string[][]} rows @returns {string[]} its lines */
export function table(head, rows) {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
}
