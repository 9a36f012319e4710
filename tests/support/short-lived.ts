/**
 * V8 options for a process that lives only for a test. Otherwise a fifth of its processor time goes into optimizing
 * functions for long use. Behavior stays the same, and an operator's processes run without these options.
 */
export const shortLived = [
  // Run PGlite with the baseline WebAssembly compiler only.
  "--liftoff-only",
  // Optimize a function after eight times as much work as by default. V8 counts calls from Node 22 on.
  Number(process.versions.node.split(".")[0]) < 22 ? "--interrupt-budget=528000" : "--invocation-count-for-maglev=3200",
];

/**
 * The same for a built product. Half of its start otherwise goes into optimizing the database's program and compressing
 * the pages, so it also compresses pages at a fast level.
 */
export const shortLivedProduct = [
  ...shortLived,
  "--v8-pool-size=1",
  "--import",
  new URL("quick-brotli.mjs", import.meta.url).href,
];

/** Variables by which `npm run coverage` records what a process runs; none in other runs. */
export function coverageVariables(): Record<string, string> {
  const names = process.env["COVERAGE_FOLDER"] ? ["COVERAGE_FOLDER", "COVERAGE_TEST", "NODE_OPTIONS"] : [];
  return Object.fromEntries(names.map((name) => [name, process.env[name] ?? ""]));
}
