import { loadEnvFile } from "./env-file.mjs";
import { findBuild } from "./find-build.mjs";
import { limitMemory } from "./limit-memory.mjs";
import { reportFailure } from "./report-failure.mjs";

/**
 * Serves the existing build until the process ends: the container runs this, and `npm start` after it has checked the
 * build. If the start fails, prints the reason and exits with status 1.
 * @param {object} [options] of `startServer` in app/entry.server.tsx; only tests give some
 */
export async function serve(options = {}) {
  limitMemory();
  process.env.NODE_ENV = "production";
  try {
    const namesInFile = loadEnvFile();
    const file = findBuild("index.js");
    const build = await import(file);
    await build.entry.module.startServer(build, { ...options, namesInFile });
  } catch (error) {
    reportFailure(error);
    process.exit(1);
  }
}
