// Everything that docs/evidence holds, measured anew: `npm run evidence`. It takes about forty minutes on Linux; run it alone,
// for most of it measures time. A target that is missed is written down and does not keep the others from being measured.
import { run, runNpmScript } from "./run.mjs";

const parts = ["lighthouse", "admin", "observatory", "supply-chain", "image", "bench", "soak"];

await runNpmScript("build");
/** @type {string[]} */
const missed = [];
for (const part of parts) {
  console.log(`— ${part}`);
  const file = part === "bench" ? "scripts/bench.mjs" : `scripts/evidence-${part}.mjs`;
  if ((await run(process.execPath, [file])) !== 0) missed.push(part);
}
if (missed.length > 0) {
  console.error(`Not as promised: ${missed.join(", ")}. docs/evidence says by how much.`);
  process.exitCode = 1;
}
