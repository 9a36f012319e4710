import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Resvg, initWasm } from "@resvg/resvg-wasm";

const ready = initWasm(readFile(fileURLToPath(import.meta.resolve("@resvg/resvg-wasm/index_bg.wasm"))));

/**
 * Draws an SVG to a PNG of the given width. It holds no text: fonts are not loaded, so text must arrive as paths.
 * @param {string} svg
 * @param {number} width in pixels
 * @returns {Promise<Uint8Array>}
 */
export async function rasterise(svg, width) {
  await ready;
  return new Resvg(svg, { fitTo: { mode: "width", value: width }, font: { loadSystemFonts: false } }).render().asPng();
}
