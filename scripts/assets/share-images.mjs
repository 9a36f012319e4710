// Draws the image for link previews of each page, from the page's headline and its part of the vital line. It contains
// nothing of the firm, so one build serves any firm. `npm run build` runs this after building the pages; it writes
// build/client/share/<slug>.png.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import subsetFont from "subset-font";
import { loadModule } from "../load-module.mjs";
import { rasterize } from "./rasterize.mjs";

/** @typedef {import("../../app/content/site-pages").SitePage} Page */

const margin = 80;
const colors = { night: "#0b1613", paper: "#f7f4ec", apricot: "#f0a37a" };
const largestBytes = 60_000;

const { sitePages } = /** @type {typeof import("../../app/content/site-pages")} */ (
  await loadModule("app/content/site-pages.ts")
);
const font = await loadFont();
const { shareImagePath, shareImageSize } = /** @type {typeof import("../../app/lib/pages/page-meta")} */ (
  await loadModule("app/lib/pages/page-meta.ts")
);
const { VitalLine } = /** @type {typeof import("../../app/ui/content/vital-line")} */ (
  await loadModule("app/ui/content/vital-line.tsx")
);
const { width, height } = shareImageSize;

await mkdir("build/client/share", { recursive: true });
for (const page of sitePages) {
  const png = await rasterize(draw(page), width);
  if (png.byteLength > largestBytes) throw new Error(`The share image of ${page.path} has ${png.byteLength} bytes.`);
  await writeFile(`build/client${shareImagePath(page.path)}`, png);
}

/** @param {Page} page @returns {string} SVG without text elements */
function draw({ headline, line }) {
  const { size, lines } = fit(headline, 920);
  const leading = size * 1.12;
  const first = 104 + size;
  const words = lines.map((text, index) => outline(text, margin, first + index * leading, size)).join("");
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">` +
    `<rect width="${width}" height="${height}" fill="${colors.night}"/>` +
    `<g fill="none" stroke="${colors.apricot}" stroke-width="5" stroke-linecap="round" stroke-linejoin="round">` +
    `${drawLine(line)}</g>` +
    `<g fill="${colors.paper}">${words}</g></svg>`
  );
}

/**
 * Fits a text into two large lines or three smaller ones, which leaves space for the vital line. @param {string} text
 * @param {number} room
 */
function fit(text, room) {
  for (const { size, most } of [
    { size: 84, most: 2 },
    { size: 72, most: 2 },
    { size: 64, most: 3 },
    { size: 52, most: 3 },
  ]) {
    const lines = wrap(text, room, size);
    if (lines.length <= most) return { size, lines };
  }
  throw new Error(`“${text}” is too long for a share image.`);
}

/** @param {string} text @param {number} room in pixels @param {number} size @returns {string[]} */
function wrap(text, room, size) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (font.getAdvanceWidth(longer, size) <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/**
 * Converts text to a path. The library's own `toPathData` writes NaN for numbers close to zero.
 * @param {string} text
 * @param {number} x
 * @param {number} y of the baseline
 * @param {number} size
 */
function outline(text, x, y, size) {
  const steps = font.getPath(text, x, y, size).commands.map(({ type, ...points }) => {
    const at = /** @type {Record<string, number | undefined>} */ (points);
    const numbers = [at.x1, at.y1, at.x2, at.y2, at.x, at.y].filter((value) => value !== undefined);
    return type + numbers.map((value) => value.toFixed(1)).join(" ");
  });
  return `<path d="${steps.join("")}"/>`;
}

/**
 * Draws the pages' own component across the lower part of the image.
 * @param {Page["line"]} shape
 */
function drawLine(shape) {
  const markup = renderToStaticMarkup(createElement(VitalLine, { shape }));
  const viewBox = /viewBox="[^"]+"/.exec(markup)?.[0];
  return markup.replace(/^<svg[^>]*>/, `<svg y="310" width="${width}" height="320" ${viewBox} overflow="visible">`);
}

async function loadFont() {
  // Its types declare named exports, but Node finds only a default export.
  const { default: opentype } = await import("opentype.js");
  const source = "@fontsource-variable/fraunces/files/fraunces-latin-wght-normal.woff2";
  const letters = sitePages.map(({ headline }) => headline).join("");
  const bytes = await subsetFont(await readFile(fileURLToPath(import.meta.resolve(source))), letters, {
    targetFormat: "sfnt",
    variationAxes: { wght: 600 },
  });
  return opentype.parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}
