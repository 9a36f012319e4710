// Records which code a process runs, for `npm run coverage`, which preloads this module into each Node process. Writes what
// V8 counted, for which test file, and the compiled sources with their source maps, to the folder COVERAGE_FOLDER.
import { createHash, randomUUID } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = process.env.COVERAGE_FOLDER;
const root = fileURLToPath(new URL("../..", import.meta.url));
/** Milliseconds between reports: a killed process loses what it ran since the last. */
const period = 2_000;

if (folder !== undefined) {
  // The session is of this thread, so that each call ends before `post` returns.
  const session = new Session();
  session.connect();
  session.post("Debugger.enable");
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  const write = () => {
    // Counts start at zero again.
    session.post("Profiler.takePreciseCoverage", (_error, { result }) => {
      const scripts = result.flatMap(({ scriptId, url, functions }) => {
        const path = url.startsWith("file:") ? fileURLToPath(url) : url;
        if (!path.startsWith(root) || !/^(?:app|bin|supabase|build\/server)\//.test(path.slice(root.length))) return [];
        let text = "";
        session.post("Debugger.getScriptSource", { scriptId }, (_failure, script) => (text = script.scriptSource));
        const source = createHash("sha256").update(text).digest("hex");
        if (!existsSync(join(folder, source))) writeFileSync(join(folder, source), text);
        return [{ path, source, functions }];
      });
      const report = { test: process.env.COVERAGE_TEST, scripts };
      if (scripts.length > 0) writeFileSync(join(folder, `${randomUUID()}.json`), JSON.stringify(report));
    });
  };
  setInterval(write, period).unref();
  process.once("exit", write);
  Object.assign(globalThis, { writeCoverage: write });
}
