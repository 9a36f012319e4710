/**
 * Options of V8 for a process that lives for a test: one fifth of its processor time would go into making functions fast for a day of
 * use. Nothing else about it changes, and whatever an operator starts goes without.
 */
export const shortLived = [
  // PGlite as it is compiled first.
  "--liftoff-only",
  // A function is optimized after eight times as much work as otherwise; from Node 22 on V8 counts calls.
  Number(process.versions.node.split(".")[0]) < 22 ? "--interrupt-budget=528000" : "--invocation-count-for-maglev=3200",
];

/**
 * The same for a built product, half of whose start goes into making the database's program and the pages fast for years to come: its
 * pages are compressed quickly, too.
 */
export const shortLivedProduct = [
  ...shortLived,
  "--v8-pool-size=1",
  "--import",
  new URL("quick-brotli.mjs", import.meta.url).href,
];
