// Makes the typefaces that every first view loads: the letters of English text and the weights in use, half the size of the full files.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import subsetFont from "subset-font";

/** Letters in `unicode-range` of the core faces (app/styles/fonts.css). The full files stay for all others. */
const coreLetters = [
  [0x20, 0x7e],
  [0xa0],
  [0xa7],
  [0xa9],
  [0xb7],
  [0xd7],
  [0x2011, 0x2014],
  [0x2018, 0x201d],
  [0x2022],
  [0x2026],
];
/** The weights that the styles use. */
const weights = { figtree: { min: 400, max: 700 }, fraunces: { min: 400, max: 600 } };

const folder = fileURLToPath(new URL("../../node_modules/.cache/core-fonts", import.meta.url));
const text = coreLetters
  .flatMap(([first = 0, last = first]) => Array.from({ length: last - first + 1 }, (_, index) => first + index))
  .map((letter) => String.fromCodePoint(letter))
  .join("");

/**
 * Vite plugin. Styles refer to the files as `@core-fonts/<family>.woff2`, modules import their address from
 * `virtual:core-fonts/<family>`.
 * @returns {import("vite").Plugin}
 */
export function coreFonts() {
  return {
    name: "core-fonts",
    async config() {
      await mkdir(folder, { recursive: true });
      await Promise.all(Object.keys(weights).map((family) => writeCore(/** @type {keyof weights} */ (family))));
      return { resolve: { alias: { "@core-fonts": folder } } };
    },
    resolveId: (source) => (source.startsWith("virtual:core-fonts/") ? `\0${source}` : null),
    load(id) {
      const family = /^\0virtual:core-fonts\/(\w+)$/.exec(id)?.[1];
      return family ? `export { default } from "@core-fonts/${family}.woff2?url";` : null;
    },
  };
}

/** @param {keyof weights} family */
async function writeCore(family) {
  const source = `@fontsource-variable/${family}/files/${family}-latin-wght-normal.woff2`;
  const font = await readFile(fileURLToPath(import.meta.resolve(source)));
  // In a variable, because the package's types do not know `keepFeatures` yet.
  const options = {
    targetFormat: /** @type {const} */ ("woff2"),
    variationAxes: { wght: weights[family] },
    keepFeatures: ["kern", "liga", "onum", "tnum"],
  };
  await writeFile(`${folder}/${family}.woff2`, await subsetFont(font, text, options));
}
