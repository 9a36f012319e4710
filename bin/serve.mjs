import { loadEnvFile } from "./env-file.mjs";
import { findBuild, requireClientFiles } from "./find-build.mjs";
import { limitMemory } from "./limit-memory.mjs";
import { reportFailure } from "./report-failure.mjs";

/**
 * Serves the build that is there, until the process ends: what the container runs, and what `npm start` runs once it is
 * sure of the build. Ends the process with 1, and says why, when it cannot start.
 */
export async function serve() {
  limitMemory();
  process.env.NODE_ENV = "production";
  try {
    const namesInFile = loadEnvFile();
    const file = findBuild("index.js");
    requireClientFiles();
    const build = await import(file);
    await build.entry.module.startServer(build, { namesInFile });
  } catch (error) {
    reportFailure(error);
    process.exit(1);
  }
}
