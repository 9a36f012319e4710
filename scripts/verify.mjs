// The one command before a commit that matters: every check, then every test. Stops at the first that fails.
import { runNpmScript } from "./run.mjs";

for (const script of ["types", "lint", "format:check", "imports", "unused", "test"]) {
  console.log(`\n— ${script}`);
  await runNpmScript(script);
}
