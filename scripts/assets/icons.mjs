// Creates every icon from public/favicon.svg: run `node scripts/assets/icons.mjs` after changing it, and commit the files.
import { readFile, writeFile } from "node:fs/promises";
import { rasterize } from "./rasterize.mjs";

const source = await readFile("public/favicon.svg", "utf8");
const drawing = /<path[^>]*\/>/.exec(source)?.[0];
const background = /<rect[^>]* fill="([^"]+)"/.exec(source)?.[1];
if (!drawing || !background) throw new Error("public/favicon.svg must be one rect with one path on it.");

/**
 * Phones crop icons to their own shape: the background fills the square, and the drawing stays in the safe zone (80 %
 * for maskable icons, W3C manifest specification).
 * @param {number} scale of the drawing, about the middle of the 64 units
 */
const onFullGround = (scale) => {
  const offset = 32 * (1 - scale);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="${background}"/>` +
    `<g transform="translate(${offset} ${offset}) scale(${scale})">${drawing}</g></svg>`
  );
};

const small = await rasterize(source, 32);
await writeFile("public/favicon.ico", wrapInIco(small, 32));
await writeFile("public/apple-touch-icon.png", await rasterize(onFullGround(0.9), 180));
await writeFile("public/icon-192.png", await rasterize(source, 192));
await writeFile("public/icon-512.png", await rasterize(source, 512));
await writeFile("public/icon-maskable-192.png", await rasterize(onFullGround(0.72), 192));
await writeFile("public/icon-maskable-512.png", await rasterize(onFullGround(0.72), 512));

/**
 * Wraps a PNG in an ICO file: a header of 6 bytes, one entry of 16, then the PNG unchanged.
 * @param {Uint8Array} png
 * @param {number} size its width and height, below 256
 */
function wrapInIco(png, size) {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2); // an icon, not a cursor
  head.writeUInt16LE(1, 4); // one image
  head.writeUInt8(size, 6);
  head.writeUInt8(size, 7);
  head.writeUInt16LE(1, 10); // color planes
  head.writeUInt16LE(32, 12); // bits per pixel
  head.writeUInt32LE(png.byteLength, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}
