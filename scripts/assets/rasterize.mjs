import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Resvg, initWasm } from "@resvg/resvg-wasm";

const ready = initWasm(readFile(fileURLToPath(import.meta.resolve("@resvg/resvg-wasm/index_bg.wasm"))));

/**
 * Renders an SVG to a PNG of the given width. No fonts are loaded, so text must be paths.
 * @param {string} svg
 * @param {number} width in pixels
 * @returns {Promise<Uint8Array>}
 */
export async function rasterize(svg, width) {
  await ready;
  return new Resvg(svg, { fitTo: { mode: "width", value: width }, font: { loadSystemFonts: false } }).render().asPng();
}
