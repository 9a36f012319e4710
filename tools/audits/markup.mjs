// Runs the W3C Nu HTML Checker, the program behind validator.w3.org, on the markup and the styles of every page: `npm
// run evidence:markup` writes docs/evidence/markup.md and fails on any finding. It needs Java.
import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { ensureInstalled } from "../../scripts/ensure-installed.mjs";
import { loadModule } from "../../scripts/load-module.mjs";
import { writeEvidence } from "../write-evidence.mjs";

/**
 * A message of the checker about one place in one page.
 * @typedef {{ type: "error" | "info" | "non-document-error", url?: string, message: string, extract?: string }} Finding
 */

/**
 * CSS that the checker's style part, which is years behind its HTML part, does not know yet. Each is standard, and a
 * browser that lacks it ignores it.
 */
const unknownToChecker = [
  /^CSS: Unrecognized at-rule “@property”/, // CSS Properties and Values API 1; Tailwind's own
  /^CSS: Unrecognized at-rule “@starting-style”/, // CSS Transitions 2
  /^CSS: “transition”: “allow-discrete” is not/, // CSS Transitions 2
  /^CSS: “animation-(?:timeline|range)”: Property “animation-(?:timeline|range)” doesn't exist/, // Scroll-driven Animations 1
  /^CSS: “margin-trim”/, // CSS Box Model 4; Tailwind asks for it in @supports to tell browsers apart
];

const require = createRequire(import.meta.url);
const checker = join(dirname(require.resolve("vnu-jar")), "build/dist/vnu.jar");
const { version } = require("vnu-jar/package.json");

if (spawnSync("java", ["-version"]).error) {
  console.error("The W3C checker needs Java, which is not installed. Install it, then run this again.");
  process.exit(1);
}
await ensureInstalled("tests");
const { startProduct } = /** @type {typeof import("../../tests/support/product")} */ (
  await loadModule("tests/support/product.ts")
);
const { readEveryPage } = /** @type {typeof import("../../tests/support/every-page")} */ (
  await loadModule("tests/support/every-page.ts")
);
const product = await startProduct();
const folder = await mkdtemp(join(tmpdir(), "markup-"));
try {
  const files = [];
  for (const [name, html] of await readEveryPage(product)) {
    // Two of the paths hold a token.
    const file = join(folder, `${name.replace(/token=[^&]*/, "").replace(/[^a-z-]+/g, "-")}.html`);
    await writeFile(file, html);
    files.push(file);
  }
  const findings = (await check(files)).filter(
    ({ type, message }) => type !== "info" && !unknownToChecker.some((known) => known.test(message)),
  );
  for (const { url = "", message, extract = "" } of findings) console.log(`${basename(url)}: ${message}\n  ${extract}`);
  await writeEvidence("docs/evidence/markup.md", describe(files.length, findings.length));
  console.log(`${files.length} pages, ${findings.length} findings`);
  if (findings.length > 0) process.exitCode = 1;
} finally {
  await product.stop();
  await rm(folder, { recursive: true, force: true });
}

/**
 * Checks all pages in one run, because starting Java takes longer than checking. @param {string[]} files @returns
 * {Promise<Finding[]>}
 */
function check(files) {
  const options = { maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve, reject) => {
    execFile("java", ["-jar", checker, "--format", "json", "--stdout", ...files], options, (_, stdout, stderr) => {
      if (stdout) resolve(JSON.parse(stdout).messages);
      else reject(new Error(`The HTML checker printed nothing: ${stderr}`));
    });
  });
}

/** @param {number} pages @param {number} findings */
function describe(pages, findings) {
  return [
    "# Markup",
    `\`npm run evidence:markup\` on ${new Date().toISOString().slice(0, 10)}: the W3C Nu HTML Checker (\`vnu-jar\` ${version}) on`,
    `${pages} pages of the built product, including the admin area and forms with mistakes: **${findings} findings**. At-rules and`,
    "values of CSS that the checker does not know yet, and that are standard, do not count; the script lists them.",
    "",
  ].join("\n");
}
