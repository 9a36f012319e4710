// How soon the next page is painted after a click, on a slow connection, with the page fetched ahead and without:
// `npm run evidence:prefetch` writes docs/evidence/prefetch.md. It takes about a minute.
import { median } from "../bench/median.mjs";
import { writeEvidence } from "../write-evidence.mjs";
import { openSite } from "./open-site.mjs";
import { startSlowLink } from "./slow-link.mjs";

const file = "docs/evidence/prefetch.md";
const rounds = 5;
/** WebPageTest's "3G". */
const speed = { roundTripMs: 300, downKilobitsPerSecond: 1_600, upKilobitsPerSecond: 768 };
const rules = "**/rules.json";
/** From when the pointer comes to rest on a link until the click. */
const restMs = [400, 800];

const site = await openSite();
const link = await startSlowLink(Number(new URL(site.product.url).port), speed);
const rows = [];
try {
  for (const rest of restMs) {
    const ahead = await measure(rest, true);
    rows.push([`${rest} ms`, inMs(await measure(rest, false)), inMs(ahead)]);
  }
} finally {
  link.close();
  await site.close();
}
await writeEvidence(
  file,
  [
    "# From the click to the next page",
    "",
    `\`npm run evidence:prefetch\` on ${new Date().toISOString().slice(0, 10)}, Chromium ${site.browser.version()}: from the click on the header's`,
    `“About” to the first contentful paint of that page, median of ${rounds}; ${speed.downKilobitsPerSecond / 1000} Mbit/s and ${speed.roundTripMs} ms a round trip, of which the`,
    "first connection needs one more. Fonts are there since the first page. Without means that the browser is kept from the rules.",
    "",
    ...[["Pointer on the link for", "Without", "Fetched ahead"], ["---", "---", "---"], ...rows].map(
      (cells) => `| ${cells.join(" | ")} |`,
    ),
    "",
  ].join("\n"),
);

/**
 * @param {number} rest milliseconds @param {boolean} mayPrefetch
 * @returns {Promise<number>} milliseconds from the click to the paint, median
 */
async function measure(rest, mayPrefetch) {
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const context = await site.browser.newContext();
    const page = await context.newPage();
    await page.addInitScript(() => {
      addEventListener("click", ({ timeStamp }) =>
        sessionStorage.setItem("clicked", String(performance.timeOrigin + timeStamp)),
      );
    });
    if (!mayPrefetch) await page.route(rules, (route) => route.abort());
    await page.goto(`http://localhost:${link.port}/`, { waitUntil: "networkidle" });
    const about = page.getByRole("banner").getByRole("link", { name: "About" });
    await about.hover();
    await page.waitForTimeout(rest);
    await about.click();
    await page.waitForURL("**/about", { waitUntil: "load" });
    times.push(await page.evaluate(readPaint));
    await context.close();
  }
  return median(times);
}

/** Runs in the page. @returns {Promise<number>} */
function readPaint() {
  const clicked = Number(sessionStorage.getItem("clicked"));
  return new Promise((resolve) => {
    new PerformanceObserver((list) => {
      const [paint] = list.getEntriesByName("first-contentful-paint");
      if (paint) resolve(performance.timeOrigin + paint.startTime - clicked);
    }).observe({ type: "paint", buffered: true });
  });
}

/** @param {number} ms */
function inMs(ms) {
  return `${Math.round(ms)} ms`;
}
