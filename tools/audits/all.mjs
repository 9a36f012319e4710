// Everything that docs/evidence holds, measured anew: `npm run evidence`. It takes about fifty minutes on Linux; run it alone,
// for most of it measures time. A target that is missed is written down and does not keep the others from being measured.
import { run, runNpmScript } from "../../scripts/run.mjs";

const audits = ["lighthouse", "markup", "admin", "prefetch", "observatory", "soak"];
const files = [...audits.map((name) => `tools/audits/${name}.mjs`), "tools/bench/bench.mjs"];

await runNpmScript("build");
/** @type {string[]} */
const missed = [];
for (const file of files) {
  console.log(`— ${file}`);
  if ((await run(process.execPath, [file])) !== 0) missed.push(file);
}
if (missed.length > 0) {
  console.error(`Not as promised: ${missed.join(", ")}. docs/evidence says by how much.`);
  process.exitCode = 1;
}
