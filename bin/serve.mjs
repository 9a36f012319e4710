import { loadEnvFile } from "./env-file.mjs";
import { loadBuild } from "./load-build.mjs";
import { reportFailure } from "./report-failure.mjs";

/**
 * Serves the existing build until the process ends: the container runs this, and `npm start` after it has checked the
 * build. If the start fails, prints the reason and exits with status 1.
 * @param {object} [options] of `startServer` in app/entry.server.tsx; only tests give some
 */
export async function serve(options = {}) {
  process.env.NODE_ENV = "production";
  try {
    const namesInFile = loadEnvFile();
    const build = await loadBuild("index.js");
    await build.entry.module.startServer(build, { ...options, namesInFile });
  } catch (error) {
    reportFailure(error);
    process.exit(1);
  }
}
