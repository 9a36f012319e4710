// Compresses the browser's files of the build once, at the highest level: the server sends the .br or .gz next to a
// file (sirv's `brotli` and `gzip`). `npm run build` runs this after building the pages.
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const folder = "build/client";
const compressible = /\.(js|css|svg|json|txt|webmanifest)$/;
/** files below this are not worth the headers */
const smallestBytes = 1024;

for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !compressible.test(entry.name)) continue;
  const path = join(entry.parentPath, entry.name);
  const content = await readFile(path);
  if (content.byteLength < smallestBytes) continue;
  const options = { [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength };
  await writeFile(`${path}.br`, brotliCompressSync(content, { params: options }));
  await writeFile(`${path}.gz`, gzipSync(content, { level: constants.Z_BEST_COMPRESSION }));
}
