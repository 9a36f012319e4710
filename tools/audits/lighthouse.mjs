// Runs Lighthouse as a phone on every page, with the median of five runs each: `npm run evidence:lighthouse` writes the
// table in docs/evidence/lighthouse.md. It takes ten to fifteen minutes. Run it alone, because it measures time.
import lighthouse from "lighthouse";
import { findFreePort } from "../free-port.mjs";
import { median } from "../median.mjs";
import { signIn } from "../sign-in.mjs";
import { writeEvidence } from "../write-evidence.mjs";
import { openSite } from "./open-site.mjs";

const runs = 5;
const file = "docs/evidence/lighthouse.md";
const categories = /** @type {const} */ (["performance", "accessibility", "best-practices", "seo"]);
/** Pages that ask search engines not to index them. */
const unlisted = ["/login", "/admin"];
const timings = /** @type {const} */ ([
  "first-contentful-paint",
  "largest-contentful-paint",
  "total-blocking-time",
  "cumulative-layout-shift",
  "total-byte-weight",
]);

const [debugPort, sitePort] = [await findFreePort(), await findFreePort()];
const site = await openSite({
  browserArgs: [`--remote-debugging-port=${debugPort}`],
  settings: { PORT: String(sitePort) },
});
/** @type {string[][]} */
const rows = [];
try {
  const session = await signIn(site.product.url, site.admin);
  // The first page load also pays for the browser's start, so load it once without measuring.
  await runLighthouse("/", undefined);
  for (const path of [...site.paths, "/login", "/admin"]) {
    const row = await measure(path, path === "/admin" ? session : undefined);
    console.log(row.join("  "));
    rows.push(row);
  }
} finally {
  await site.close();
}
await writeEvidence(file, describe(rows, site.browser.version()));
const below = rows.filter((row) => row.slice(1, 5).some((score) => score !== "100" && score !== "–"));
if (below.length > 0) {
  console.error(`Below 100: ${below.map(([path]) => path).join(", ")}`);
  process.exit(1);
}

/**
 * Measures one page. Pages that ask search engines not to index them get no SEO score.
 * @param {string} path @param {string} [cookie] of a signed-in admin
 * @returns {Promise<string[]>} a row of the table
 */
async function measure(path, cookie) {
  /** @type {import("lighthouse").Result[]} */
  const results = [];
  for (let run = 0; run < runs; run++) results.push(await runLighthouse(path, cookie));
  const scores = categories.map((name) => {
    if (name === "seo" && unlisted.includes(path)) return "–";
    return String(Math.round(median(results.map((lhr) => lhr.categories[name]?.score ?? 0)) * 100));
  });
  const [paint = 0, largest = 0, blocked = 0, shift = 0, bytes = 0] = timings.map((name) =>
    median(results.map((lhr) => lhr.audits[name]?.numericValue ?? Number.NaN)),
  );
  const seconds = [paint, largest].map((ms) => `${(ms / 1000).toFixed(1)} s`);
  return [path, ...scores, ...seconds, `${Math.round(blocked)} ms`, shift.toFixed(3), `${Math.round(bytes / 1000)} kB`];
}

/**
 * Runs Lighthouse once. Lighthouse itself fails occasionally ("please run Lighthouse again"), so two retries are
 * allowed.
 * @param {string} path @param {string | undefined} cookie @returns {Promise<import("lighthouse").Result>}
 */
async function runLighthouse(path, cookie, attemptsLeft = 2) {
  const extraHeaders = cookie === undefined ? undefined : { Cookie: cookie };
  const result = await lighthouse(site.product.url + path, { port: debugPort, logLevel: "error", extraHeaders });
  const landed = result?.lhr.finalDisplayedUrl;
  if (landed && new URL(landed).pathname !== path) throw new Error(`${path} led to ${landed}`);
  if (result && !result.lhr.runtimeError) return result.lhr;
  if (attemptsLeft > 0) return runLighthouse(path, cookie, attemptsLeft - 1);
  throw new Error(`${path}: ${result?.lhr.runtimeError?.message}`);
}

/** @param {string[][]} table @param {string} browserVersion */
function describe(table, browserVersion) {
  const head = "Page Performance Accessibility Best_practices SEO First_paint Largest_paint Blocked Shift Transferred";
  const columns = head.split(" ").map((name) => name.replace("_", " "));
  const lines = [columns, columns.map(() => "---"), ...table].map((cells) => `| ${cells.join(" | ")} |`);
  return [
    "# Lighthouse",
    `\`npm run evidence:lighthouse\` on ${new Date().toISOString().slice(0, 10)}: Lighthouse 12.8.2 as a phone on a slow`,
    `connection (its default), Chromium ${browserVersion}, Node ${process.versions.node}, the built product with its own`,
    `server; each figure is the median of ${runs} runs. /login and /admin (signed in) ask search engines to leave them out,`,
    "so they have no score there.\n",
    ...lines,
    "",
  ].join("\n");
}
