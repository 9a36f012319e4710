// How fast the built product is beside a server that does nothing else, how soon it is there and how much memory it takes:
// `npm run bench` writes docs/evidence/bench.md. It takes about nine minutes on Linux; run it alone, for it measures time.
// `--quick` is for working on the bench itself: short runs, printed and not written.
import { compare } from "./compare.mjs";
import { measureFirstViews } from "./first-view.mjs";
import { compareMoreStarts } from "./cold-start-variance.mjs";
import { report } from "./report.mjs";
import { makeScenarios } from "./scenarios.mjs";
import { makeFolder, readMemory, startBareServer, startProduct } from "./servers.mjs";
import { measureStarts } from "./starts.mjs";
import { writeEvidence } from "../write-evidence.mjs";

const file = "docs/evidence/bench.md";
const isQuick = process.argv.includes("--quick");
const plan = isQuick
  ? { rounds: 3, seconds: 0.5, warmUpSeconds: 1, startsEach: 1, startsMore: 1 }
  : { rounds: 7, seconds: 1.5, warmUpSeconds: 3, startsEach: 3, startsMore: 4 };

const starts = await measureStarts(plan.startsEach);
const folder = await makeFolder();
const product = await startProduct({ dataDir: folder.path });
const bare = await startBareServer();
try {
  const views = await measureFirstViews(product.port);
  const comparisons = [];
  for (const scenario of await makeScenarios(product.port)) {
    const comparison = await compare(scenario, { product, bare, ...plan });
    console.log(`${comparison.name}: ${comparison.ratios.perSecond.toFixed(3)} of the bare server`);
    comparisons.push(comparison);
  }
  const loaded = await readMemory(product.pid);
  await product.stop();
  const moreStarts = await compareMoreStarts({ ...plan, count: plan.startsMore, dataDir: folder.path, bare });
  const { text, missed } = report({ comparisons, starts, moreStarts, views, loaded, ...plan });
  if (isQuick) console.log(text);
  else {
    await writeEvidence(file, text);
  }
  if (missed.length > 0) console.error(`Missed:\n- ${missed.join("\n- ")}`);
} finally {
  await product.stop();
  await bare.stop();
  await folder.remove();
}
