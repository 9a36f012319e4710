// How long the admin's pages take with 10,000 messages and 1,000 requests, from the first to the last page:
// `npm run evidence:admin` writes docs/evidence/admin.md. It takes about a minute; run it alone, for it measures time.
import { loadModule } from "../../scripts/load-module.mjs";
import { fillInbox, readCookies, signIn } from "../full-inbox.mjs";
import { writeEvidence } from "../write-evidence.mjs";

const file = "docs/evidence/admin.md";
const rounds = 15;
const maxMs = 200;
const comparisons = 41;
/** @type {string[][]} */
const addresses = [];

const { startProduct, makeDataDir, testAdmin } = /** @type {typeof import("../../tests/support/product")} */ (
  await loadModule("tests/support/product.ts")
);
const dataDir = await makeDataDir();
const first = await startProduct({}, { dataDir });
await first.stop();
await fillInbox(dataDir);
const product = await startProduct({}, { dataDir });
/** @type {string[][]} */
const rows = [];
try {
  const cookie = await signIn(product.url, testAdmin);
  // Every fourth message is spam, and in no list but its own.
  const deep = await walk("/admin?filter=all", cookie, [1, 100, 200, 299]);
  const requests = await walk("/admin/requests?filter=active", cookie, [1, 20, 39]);
  for (const [name, address] of [
    ...deep.map((place) => [`Messages, page ${place.page}`, place.path]),
    ["Messages, filter “Done”", "/admin?filter=done"],
    ...requests.map((place) => [`Requests, page ${place.page}`, place.path]),
  ]) {
    rows.push(await measure(name ?? "", address ?? "", cookie));
  }
  for (const [name, list, words] of [
    ["Messages, search for something frequent", "/admin", "clinic 4"],
    ["Messages, search for something that is nowhere", "/admin", "not to be found"],
    ["Requests, search for something that is nowhere", "/admin/requests", "not to be found"],
  ]) {
    const found = await search(list ?? "", words ?? "", cookie);
    rows.push(await measure(name ?? "", found.path, found.cookie));
  }
  await compareAddresses();
} finally {
  await product.stop();
}
await writeEvidence(file, describe());
const slow = rows.filter((row) => Number.parseFloat(row[2] ?? "") > maxMs);
if (slow.length > 0) {
  console.error(`Above ${maxMs} ms: ${slow.map(([name]) => name).join(", ")}`);
  process.exit(1);
}

/**
 * Turns the pages one by one, as an admin would, and notes the addresses of some.
 * @param {string} path @param {string} cookie @param {number[]} wanted numbers of pages
 * @returns {Promise<{ page: number, path: string }[]>}
 */
async function walk(path, cookie, wanted) {
  const found = [];
  for (let page = 1, next = path; next; page++) {
    if (wanted.includes(page)) found.push({ page, path: next });
    if (found.length === wanted.length) return found;
    const html = await (await fetch(product.url + next, { headers: { Cookie: cookie } })).text();
    next = /<a href="([^"]+)" rel="next"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "";
  }
  throw new Error(`${path} has fewer pages than ${wanted.at(-1)}`);
}

/**
 * Begins a search, which has an address of its own.
 * @param {string} list @param {string} words @param {string} cookie
 */
async function search(list, words, cookie) {
  const answer = await fetch(product.url + list, {
    method: "POST",
    redirect: "manual",
    headers: { Origin: product.url, Cookie: cookie },
    body: new URLSearchParams({ intent: "search", search: words }),
  });
  const path = answer.headers.get("location");
  if (answer.status !== 303 || !path?.includes("search=")) throw new Error(`searching answered ${answer.status}`);
  return { path, cookie: `${cookie}; ${readCookies(answer)}` };
}

/** @param {string} name @param {string} path @param {string} cookie @returns {Promise<string[]>} a row of the table */
async function measure(name, path, cookie) {
  const times = [];
  for (let round = -2; round < rounds; round++) {
    const began = performance.now();
    const answer = await fetch(product.url + path, { headers: { Cookie: cookie } });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
    if (round >= 0) times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  const row = [name, `${(times[(rounds - 1) / 2] ?? 0).toFixed(0)} ms`, `${(times.at(-1) ?? 0).toFixed(0)} ms`];
  console.log(row.join("  "));
  return row;
}

/** A request about data for somebody of whom much is held, and for somebody unknown, in turn. */
async function compareAddresses() {
  /** @type {Record<string, number[]>} */
  const times = { known: [], unknown: [] };
  for (let round = -3; round < comparisons; round++) {
    for (const [kind, email] of [
      ["known", `person${round + 100}@mail.example`],
      ["unknown", `nobody${round + 100}@mail.example`],
    ]) {
      const form = { name: "Somebody", email: email ?? "", requestType: "access", description: "What do you hold?" };
      const began = performance.now();
      const answer = await fetch(`${product.url}/data-rights`, {
        method: "POST",
        redirect: "manual",
        headers: { Origin: product.url },
        body: new URLSearchParams(form),
      });
      if (answer.status !== 303) throw new Error(`a request answered ${answer.status}`);
      if (round >= 0) times[kind ?? ""]?.push(performance.now() - began);
    }
  }
  for (const [kind, all] of Object.entries(times)) {
    all.sort((a, b) => a - b);
    const quartile = (/** @type {number} */ part) =>
      `${(all[Math.round((comparisons - 1) * part)] ?? 0).toFixed(1)} ms`;
    addresses.push([kind, quartile(0.25), quartile(0.5), quartile(0.75)]);
  }
  console.log(addresses.map((row) => row.join("  ")).join("\n"));
}

function describe() {
  const lines = writeTable([["Page", "Median", "Slowest"], ...rows]);
  const compared = writeTable([["Address", "Lower quartile", "Median", "Upper quartile"], ...addresses]);
  return [
    "# The admin's pages with 10,000 messages and 1,000 requests",
    `\`npm run evidence:admin\` on ${new Date().toISOString().slice(0, 10)}: the built product with its embedded database,`,
    `Node ${process.versions.node}; whole requests over loopback, sign-in check and rendering included, ${rounds} of each`,
    `after two to warm up. The target is ${maxMs} ms, the same however deep the page lies.\n`,
    ...lines,
    `\n## A data rights request, for an address that is known and for one that is not\n`,
    `The answer is the same to the byte (\`tests/routes/forms/data-rights.test.ts\`); so is its time, ${comparisons} of each in turn:\n`,
    ...compared,
    "",
  ].join("\n");
}

/** @param {string[][]} table @returns {string[]} lines of Markdown */
function writeTable([head = [], ...body]) {
  return [head, head.map(() => "---"), ...body].map((cells) => `| ${cells.join(" | ")} |`);
}
