// Compresses what the browser fetches of the build once, as small as it gets: the server sends the .br or .gz that lies
// beside a file (sirv's `brotli` and `gzip`). Runs after the build of the pages (`npm run build`).
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const folder = "build/client";
const compressible = /\.(js|css|svg|json|txt|webmanifest)$/;
/** below this, headers outweigh what compressing saves */
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
