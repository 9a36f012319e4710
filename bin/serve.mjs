import { setFlagsFromString } from "node:v8";
import { loadEnvFile } from "./env-file.mjs";
import { findBuild, requireClientFiles } from "./find-build.mjs";
import { spareMemory } from "./spare-memory.mjs";
import { tellFailure } from "./tell-failure.mjs";
import { keepTickObject } from "./v8-nexttick-workaround.mjs";

/**
 * Serves the build that is there, until the process ends: what the container runs, and what `npm start` runs once it is
 * sure of the build. Ends the process with 1, and says why, when it cannot start.
 */
export async function serve() {
  keepTickObject();
  spareMemory();
  process.env.NODE_ENV = "production";
  // A start makes much that is garbage a moment later. V8 would let its space for young objects grow to hold all of it, and
  // keep 20 MB that an idle server never needs; it may grow once there are visitors, whose pages need it.
  growYoungSpaceBy(1);
  try {
    const namesInFile = loadEnvFile();
    const file = findBuild("index.js");
    requireClientFiles();
    const build = await import(file);
    await build.entry.module.startServer(build, { namesInFile });
  } catch (error) {
    tellFailure(error);
    process.exit(1);
  }
  growYoungSpaceBy(2);
}

/** @param {1 | 2} factor each time that it is full; 2 is V8's own */
function growYoungSpaceBy(factor) {
  setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}
