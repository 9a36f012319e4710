// How fast the built product is on a day like any other, beside a server that does nothing else, how soon it is there and how much
// memory it takes: `npm run bench` writes docs/evidence/bench.md. It takes about twelve minutes on Linux; run it alone, for it
// measures time. `--quick` is for working on the bench itself: short runs, printed and not written.
import { cp, lstat } from "node:fs/promises";
import { fillInbox } from "../full-inbox.mjs";
import { writeEvidence } from "../write-evidence.mjs";
import { measureChain, mergeDays, runDayWithForms } from "./chain.mjs";
import { compare, mergeStarts } from "./compare.mjs";
import { admin, measureCosts, mergeCosts } from "./costs.mjs";
import { makeDay } from "./requests/day.mjs";
import { measureFirstViews } from "./first-view.mjs";
import { load as loadByAutocannon } from "./generators/autocannon.mjs";
import { report } from "./report/report.mjs";
import { listRequests } from "./requests/requests.mjs";
import { listScenarios } from "./requests/scenarios.mjs";
import { makeFolder, readMemory, settle, startBareServer, startProduct } from "./servers/servers.mjs";
import { measureStalls, mergeStalls, startUnderLoad } from "./stalls.mjs";
import { measureStarts } from "./starts.mjs";
import { findWrk, loadByWrk } from "./generators/wrk.mjs";

const file = "docs/evidence/bench.md";
const isQuick = process.argv.includes("--quick");
const plan = isQuick
  ? { times: 1, rounds: 1, seconds: 1, warmUpSeconds: 1, stallSeconds: 2, startsEach: 1 }
  : { times: 3, rounds: 2, seconds: 1, warmUpSeconds: 1, stallSeconds: 5, startsEach: 3 };
const wrk = findWrk();
const load = wrk === null ? loadByAutocannon : loadByWrk;

const starts = await measureStarts(plan.startsEach);
const folder = await makeFolder();
const settings = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password };
try {
  await (await startProduct({ dataDir: folder.path, settings })).stop();
  await fillInbox(folder.path);
  /** @type {Awaited<ReturnType<typeof measureOnce>>[]} */
  const measured = [];
  for (let time = 0; time < plan.times; time++) measured.push(await onCopy(measureOnce));
  const chain = await onCopy((dataDir) => measureChain({ dataDir, load, seconds: 2 * plan.seconds }));
  const [first] = measured;
  if (first === undefined) throw new Error("There was no start.");
  const { text, missed } = report({
    ...plan,
    generator: wrk ?? "autocannon, which may be slower than the bare server",
    comparisons: first.comparisons.map((_, place) =>
      mergeStarts(measured.flatMap(({ comparisons }) => comparisons[place] ?? [])),
    ),
    stalls: mergeStalls(measured.map(({ stalls }) => stalls)),
    dayWithForms: mergeDays(measured.map(({ dayWithForms }) => dayWithForms)),
    costs: mergeCosts(measured.map(({ costs }) => costs)),
    views: first.views,
    loaded: measured.at(-1)?.loaded ?? first.loaded,
    chain,
    starts,
  });
  if (isQuick) console.log(text);
  else await writeEvidence(file, text);
  if (missed.length > 0) console.error(`Missed:\n- ${missed.join("\n- ")}`);
} finally {
  await folder.remove();
}

/**
 * Every start finds the same data, and not the thousands of messages that the one before it was sent.
 * @template Figures @param {(dataDir: string) => Promise<Figures>} measure
 */
async function onCopy(measure) {
  const { path, remove } = await makeFolder();
  try {
    // The sockets of the site that ran on it stay behind.
    await cp(folder.path, path, { recursive: true, filter: async (each) => !(await lstat(each)).isSocket() });
    return await measure(path);
  } finally {
    await remove();
  }
}

/** Everything that one process of the product is measured for. @param {string} dataDir */
async function measureOnce(dataDir) {
  const { product, opening } = await startUnderLoad({ dataDir, settings });
  const bare = await startBareServer();
  try {
    await settle(product.pid);
    const lists = await listRequests(product);
    const views = await measureFirstViews(product.port);
    const [message] = lists.messages;
    if (message === undefined) throw new Error("There is no message to send.");
    const stalls = await measureStalls({ product, bare, message, dataDir, seconds: plan.stallSeconds });
    const comparisons = [];
    for (const scenario of listScenarios(lists)) {
      const comparison = await compare(scenario, { ...plan, product, bare, load });
      console.log(`${comparison.name}: ${comparison.ratios.perSecond.toFixed(3)} of the bare server`);
      comparisons.push(comparison);
    }
    const loaded = await readMemory(product.pid);
    const requests = makeDay(lists, { withForms: true });
    const day = { port: product.port, requests, load };
    await runDayWithForms({ ...day, seconds: plan.warmUpSeconds });
    const dayWithForms = await runDayWithForms({ ...day, seconds: plan.stallSeconds });
    await settle(product.pid);
    const costs = await measureCosts({ product, lists, load, seconds: plan.stallSeconds, warmUpSeconds: 1 });
    return { views, stalls: { ...stalls, opening }, comparisons, loaded, dayWithForms, costs };
  } finally {
    await product.stop();
    await bare.stop();
  }
}
