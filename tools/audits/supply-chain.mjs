// What production is made of, by licences, from the bill of materials. `npm run evidence:supply-chain` writes
// docs/evidence/supply-chain.md; it fails for a licence that has not been looked at. Known advisories: `npm run scan`.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeEvidence } from "../write-evidence.mjs";

/** @typedef {{ id?: string, name?: string }} License */
/** @typedef {{ name: string, version: string, licenses?: ({ license: License } | { expression: string })[] }} Component */

/** Each lets a firm run and change the software without publishing its own; SPDX's names. */
const looked = ["MIT", "MIT-0", "ISC", "0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0"];
/** The stand-in for packages that never run: it is this repository's own. */
const own = "empty-package";

execFileSync(process.execPath, ["scripts/sbom.mjs"], { stdio: ["ignore", "ignore", "inherit"] });
const { components } = /** @type {{ components: Component[] }} */ (
  JSON.parse(readFileSync("build/sbom.cdx.json", "utf8"))
);
const packages = components.filter(({ name }) => name !== own);
const licences = countLicences();
const strange = [...licences.keys()].filter((name) => !isLookedAt(name));
await writeEvidence("docs/evidence/supply-chain.md", describe());
console.log(`${packages.length} packages; licences to look at: ${strange.join(", ") || "none"}`);
if (strange.length > 0) process.exitCode = 1;

/** @returns {Map<string, string[]>} packages by licence, the most frequent licence first */
function countLicences() {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const { name, version, licenses = [] } of packages) {
    const texts = licenses.map((entry) =>
      "license" in entry ? (entry.license.id ?? entry.license.name) : entry.expression,
    );
    const licence = texts.join(" and ") || "none named";
    found.set(licence, [...(found.get(licence) ?? []), `${name} ${version}`]);
  }
  return new Map([...found].toSorted(([, a], [, b]) => b.length - a.length));
}

/** Of licences that all hold, each; of those that one may choose from, one. @param {string} expression in SPDX's grammar */
function isLookedAt(expression) {
  const parts = expression.replace(/[()]/g, "").split(" AND ");
  return parts.every((part) => part.split(" OR ").some((name) => looked.includes(name)));
}

function describe() {
  const few = 12;
  return [
    "# Supply chain",
    `\`npm run evidence:supply-chain\` on ${new Date().toISOString().slice(0, 10)}: the ${packages.length} packages that`,
    "production installs. `npm run sbom` writes them all, with versions, licences and SHA-512 sums, as CycloneDX 1.5 to",
    "`build/sbom.cdx.json`; an image has its own in `/site/sbom.cdx.json`.\n",
    "`npm run scan` looks for known advisories about them; the workflow in .github does so with every change.\n",
    "| Licence | Packages | Which |",
    "| --- | --: | --- |",
    ...[...licences].map(
      ([name, list]) => `| ${name} | ${list.length} | ${list.length > few ? "" : list.join(", ")} |`,
    ),
    strange.length === 0 ? "\nEach of them lets a firm run and change the software without publishing its own." : "",
    "",
  ].join("\n");
}
