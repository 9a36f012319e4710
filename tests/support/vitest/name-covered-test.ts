import { relative } from "node:path";
import { afterAll } from "vitest";

// `npm run coverage` writes down which test file runs a line: this process's own, and those that it starts, get its name.
if (process.env["COVERAGE_FOLDER"]) {
  const { filepath } = Reflect.get(globalThis, "__vitest_worker__") as { filepath: string };
  process.env["COVERAGE_TEST"] = relative(process.cwd(), filepath);
  // Vitest kills its processes.
  afterAll(Reflect.get(globalThis, "writeCoverage") as () => void);
}
