// Measures the built product's speed, start time and memory: `npm run bench` writes docs/evidence/bench.md. It takes
// about eight minutes and needs Linux. Run it alone, because it measures time. `--quick` is for work on the bench
// itself: one short start, printed but not written.
import { cp, lstat, mkdtemp, rm, writeFile } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { format, resolveConfig } from "prettier";
import { signIn } from "../sign-in.mjs";
import { compare } from "./compare.mjs";
import { fillInbox } from "./full-inbox.mjs";
import { load, sendAtRate } from "./load.mjs";
import { get, listRequests, makeDay } from "./requests.mjs";
import { readMemoryMb, settle, startBareServer, startProduct } from "./servers.mjs";
import { describe } from "./targets.mjs";

const isQuick = process.argv.includes("--quick");
const plan = isQuick ? { starts: 1, rounds: 1, seconds: 1 } : { starts: 3, rounds: 3, seconds: 3 };
const evidence = "docs/evidence/bench.md";
const admin = { email: "admin@firm.example", password: "a long bench passphrase" };

const folder = await mkdtemp(join(tmpdir(), "bench-"));
const prepared = join(folder, "prepared");
try {
  const first = await startProduct(prepared, { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password });
  await first.stop();
  await fillInbox(prepared);
  const starts = [];
  for (let start = 1; start <= plan.starts; start++) {
    // Each start gets the same data, without the messages sent to the previous one.
    const dataDir = join(folder, String(start));
    await cp(prepared, dataDir, { recursive: true, filter: async (path) => !(await lstat(path)).isSocket() });
    starts.push(await measure(dataDir));
  }
  const { text, missed } = describe(starts, [
    `\`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()},`,
    `load average at the end ${loadavg()[0]?.toFixed(2)}; the median of ${plan.starts} starts. The built product without limits of posts,`,
    "10,000 messages in its database, 32 connections. A ratio compares with a bare `node:http` server that sends the same bytes",
    "and headers by the processor time of a request: 0.5 means that the product needs twice as much. Each is measured under",
    "two loads: autocannon, and saturated, by a load on another core that leaves the server no pause.",
  ]);
  if (isQuick) console.log(text);
  else await writeFile(evidence, await format(text, { ...(await resolveConfig(evidence)), parser: "markdown" }));
  if (missed.length > 0) {
    console.error(`Missed: ${missed.join("; ")}`);
    process.exitCode = 1;
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Measures one process of the product. @param {string} dataDir @returns {Promise<import("./targets.mjs").Figures>} */
async function measure(dataDir) {
  const product = await startProduct(dataDir);
  const bare = await startBareServer();
  try {
    await wait(4000);
    const { port, firstPageMs, readyMs } = product;
    const idleMb = await readMemoryMb(product.pid);
    const lists = await listRequests(port);
    /** @type {Record<string, number>} */
    const ratios = {};
    const { pages, visited, known, missing } = lists;
    for (const [name, requests] of Object.entries({ pages, visited, known, missing, day: makeDay(lists) })) {
      const { light, saturated } = await compare({ requests, product, bare, ...plan });
      ratios[name] = light;
      ratios[`${name}Saturated`] = saturated;
    }
    const [pageP99Ms] = await Promise.all([
      // Enough visits that a stall of a few milliseconds shows in the slowest hundredth.
      sendAtRate({ port, perSecond: 500, seconds: plan.seconds, request: get("/") }),
      sendAtRate({ port, perSecond: 20, seconds: plan.seconds, request: lists.message }),
    ]);
    const message = await measureCost(product, lists.message, 32);
    const cookie = await signIn(`http://localhost:${port}`, admin);
    const inbox = await measureCost(product, get("/admin?filter=all", { Cookie: cookie }), 2);
    const times = { pageP99Ms, idleMb, firstPageMs, readyMs };
    const costs = { messageProcessorMs: message.processorMs, inboxProcessorMs: inbox.processorMs };
    return { ...ratios, ...times, ...costs, messagesPerSecond: message.perSecond, messageP99Ms: message.p99Ms };
  } finally {
    await product.stop();
    await bare.stop();
  }
}

/**
 * Measures a request that no cache can serve, including work after its response, such as mail.
 * @param {{ pid: number, port: number }} product
 * @param {import("./requests.mjs").KnownRequest} request @param {number} connections
 */
async function measureCost({ pid, port }, request, connections) {
  const run = (/** @type {number} */ seconds) => load({ port, seconds, connections, requests: [request] });
  await run(1);
  const before = await settle(pid);
  const result = await run(plan.seconds);
  return { ...result, processorMs: (((await settle(pid)) - before) / result.count) * 1000 };
}
