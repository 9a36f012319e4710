// Everything that docs/evidence holds, measured anew: `npm run evidence`. It takes about forty minutes on Linux; run it alone,
// for most of it measures time. A target that is missed is written down and does not keep the others from being measured.
import { ensureInstalled } from "./ensure-installed.mjs";
import { run, runNpmScript } from "./run.mjs";

/** Those in tools/ have packages of their own. */
const inTools = ["lighthouse", "markup"];
const parts = [...inTools, "admin", "observatory", "supply-chain", "bench", "soak"];

await ensureInstalled("tools");
await runNpmScript("build");
/** @type {string[]} */
const missed = [];
for (const part of parts) {
  console.log(`— ${part}`);
  const folder = inTools.includes(part) ? "tools" : "scripts";
  const file = part === "bench" ? "scripts/bench.mjs" : `${folder}/evidence-${part}.mjs`;
  if ((await run(process.execPath, [file])) !== 0) missed.push(part);
}
if (missed.length > 0) {
  console.error(`Not as promised: ${missed.join(", ")}. docs/evidence says by how much.`);
  process.exitCode = 1;
}
