// Runs MDN's HTTP Observatory, the scanner behind developer.mozilla.org/observatory, on every page behind a TLS proxy:
// `npm run evidence:observatory` writes docs/evidence/observatory.md and fails below A+ or 130 points.
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { loadModule } from "../../scripts/load-module.mjs";
import { findFreePort } from "../free-port.mjs";
import { writeEvidence } from "../write-evidence.mjs";
import { startTlsProxy } from "./tls-proxy.mjs";

/** @typedef {{ pass: boolean, result: string, scoreModifier: number }} Test */
/** @typedef {{ grade: string, score: number, testsPassed: number, testsQuantity: number }} Grade */
/** @typedef {{ scan: Grade, tests: Record<string, Test> }} Scan what the scanner prints */

const scanner = "@mdn/mdn-http-observatory";
const version = "1.4.8";
const leastScore = 130;

const { startProduct } = /** @type {typeof import("../../tests/support/product")} */ (
  await loadModule("tests/support/product.ts")
);
const { sitePages } = /** @type {typeof import("../../app/content/site-pages")} */ (
  await loadModule("app/content/site-pages.ts")
);
const folder = installScanner();
const port = await findFreePort();
const site = `localhost:${port}`;
const product = await startProduct({ SITE_URL: `https://${site}`, TRUSTED_PROXIES: "1" });
const proxy = await startTlsProxy(port, Number(new URL(product.url).port));
/** @type {{ path: string, result: Scan }[]} */
const scans = [];
try {
  for (const path of [...sitePages.map((page) => page.path), "/login"]) scans.push({ path, result: await scan(path) });
} finally {
  proxy.close();
  await product.stop();
  rmSync(folder, { recursive: true, force: true });
}
await writeEvidence("docs/evidence/observatory.md", describe());
const worst = Math.min(...scans.map(({ result }) => result.scan.score));
const areAllBest = scans.every(({ result }) => result.scan.grade === "A+");
console.log(`${scans.length} pages, at least ${worst} points, ${areAllBest ? "all A+" : "not all A+"}`);
if (!areAllBest || worst < leastScore) process.exitCode = 1;

/**
 * Installs the scanner. It is not a dependency of this repository, because it brings 230 packages. Its install scripts
 * only fetch lists: the HSTS preload list, replaced by an empty one, and top-level domains, which only its own web
 * server reads.
 * @returns {string} the folder it was installed in
 */
function installScanner() {
  const path = mkdtempSync(join(tmpdir(), "observatory-"));
  const args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", path];
  execFileSync("npm", [...args, `${scanner}@${version}`], { stdio: ["ignore", "ignore", "inherit"] });
  writeFileSync(join(path, "node_modules", scanner, "conf/hsts-preload.json"), "{}\n");
  return path;
}

/**
 * Scans a page in a child process, because Node reads its trusted authorities only at its start.
 * @param {string} path @returns {Promise<Scan>}
 */
async function scan(path) {
  const program = join(folder, "node_modules", scanner, "src/scan.js");
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: proxy.certificateFile };
  const { stdout } = await promisify(execFile)(process.execPath, [program, site + path], { env });
  return JSON.parse(stdout);
}

function describe() {
  const first = scans[0]?.result;
  const rows = Object.entries(first?.tests ?? {}).map(([name, { result, pass, scoreModifier }]) => [
    name,
    pass ? "yes" : "**no**",
    result,
    String(scoreModifier),
  ]);
  return [
    "# HTTP Observatory",
    `\`npm run evidence:observatory\` on ${new Date().toISOString().slice(0, 10)}: MDN's scanner (\`${scanner}\` ${version})`,
    "on the built product behind a TLS proxy with a certificate that the scanner trusts, and a redirect for plain HTTP.",
    `The aim is A+ and ${leastScore} points on every page; points above 100 are bonuses. Further bonuses exist for a domain on the`,
    "browsers' HTTPS list, for cookies on a page (none of these sets any) and for integrity attributes on scripts.\n",
    "| Page | Grade | Points | Tests passed |",
    "| --- | --- | --: | --- |",
    ...scans.map(({ path, result }) => {
      const { grade, score, testsPassed, testsQuantity } = result.scan;
      return `| ${path} | ${grade} | ${score} | ${testsPassed} of ${testsQuantity} |`;
    }),
    "\nThe home page, test by test:\n",
    "| Test | Passed | Result | Points |",
    "| --- | --- | --- | --: |",
    ...rows.map((cells) => `| ${cells.join(" | ")} |`),
    "",
  ].join("\n");
}
