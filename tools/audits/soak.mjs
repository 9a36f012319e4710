// A hundred thousand requests of every kind, good and bad, to one running product: `npm run evidence:soak` writes what its
// memory did to docs/evidence/soak.md. It takes several minutes on Linux. `--requests=5000` makes a short one, printed only.
import { load } from "../bench/generators/autocannon.mjs";
import { median } from "../bench/median.mjs";
import { makeFolder, readMemory, startProduct } from "../bench/servers/servers.mjs";
import { writeEvidence } from "../write-evidence.mjs";
import { makeRequests } from "./soak-requests.mjs";

const file = "docs/evidence/soak.md";
const asked = Number(process.argv.find((word) => word.startsWith("--requests="))?.slice("--requests=".length));
const wanted = asked || 100_000;
/** Of the second quarter's memory: a cache that still fills up may cost this much, a leak costs more and goes on. */
const maxGrowth = 0.1;

const folder = await makeFolder();
const product = await startProduct({ dataDir: folder.path });
/** @type {{ requests: number, memoryMb: number, perSecond: number }[]} */
const samples = [];
/** @type {Record<string, number>} */
const statuses = {};
try {
  const mix = makeRequests(product.port);
  let requests = 0;
  while (requests < wanted) {
    const slice = await load({ port: product.port, seconds: 3, connections: 16, requests: mix });
    requests += slice.requests;
    for (const [status, count] of Object.entries(slice.statuses)) statuses[status] = (statuses[status] ?? 0) + count;
    const { nowMb } = await readMemory(product.pid);
    samples.push({ requests, memoryMb: nowMb, perSecond: slice.perSecond });
  }
} finally {
  await product.stop();
  await folder.remove();
}

const [second = Number.NaN, last = Number.NaN] = [0.25, 0.75].map((from) =>
  median(quarter(from).map(({ memoryMb }) => memoryMb)),
);
const failures = Object.keys(statuses).filter((status) => Number(status) >= 500);
const isFlat = last <= second * (1 + maxGrowth);
const text = describe();
if (asked) console.log(text);
else await writeEvidence(file, text);
if (!isFlat || failures.length > 0) {
  console.error(isFlat ? `Answered with ${failures.join(", ")}.` : "Memory is not flat.");
  process.exitCode = 1;
}

/** @param {number} from a share of all requests */
function quarter(from) {
  return samples.filter(({ requests }) => requests > wanted * from && requests <= wanted * (from + 0.25));
}

function describe() {
  const total = samples.at(-1)?.requests ?? 0;
  const lines = samples
    .filter((_sample, index) => index % Math.ceil(samples.length / 20) === 0 || index === samples.length - 1)
    .map(({ requests, memoryMb, perSecond }) => [
      requests.toLocaleString("en"),
      `${Math.round(memoryMb)} MB`,
      Math.round(perSecond),
    ]);
  return [
    "# A hundred thousand requests",
    "",
    `\`npm run evidence:soak\` on ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}: ${total.toLocaleString("en")} requests`,
    "on 16 connections to one product with its embedded backend: pages, pages known already, missing pages, broken forms,",
    "forged cookies and tokens, choices about cookies, and every fiftieth a message that is kept and mailed.",
    "",
    `Memory is ${isFlat ? "flat" : "**not flat**"}: ${Math.round(second)} MB in the second quarter (median), ${Math.round(last)} MB in the last;`,
    `up to ${maxGrowth * 100} % more would still count as flat. Answers: ${Object.entries(statuses)
      .map(([status, count]) => `${count.toLocaleString("en")} × ${status}`)
      .join(", ")}.`,
    "",
    ...[["Requests so far", "Resident memory", "A second"], ["---", "---", "---"], ...lines].map(
      (cells) => `| ${cells.join(" | ")} |`,
    ),
    "",
  ].join("\n");
}
