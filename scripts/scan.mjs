// Looks for known advisories about what production runs: `npm run scan`. It asks the OSV database (osv.dev; OSV_URL for
// a mirror), or reads a copy of it (`-- --database <folder or zip>`), and needs nothing of the registry's own audit.
// Ends with 0 when there is nothing that docs/accepted-advisories.yaml does not accept, with 1 when there is, and with 3
// when it could not look: that is never good news.
import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";
import { readAccepted, sortOut } from "./scan/accepted.mjs";
import { askOsv } from "./scan/ask-osv.mjs";
import { readBill } from "./scan/bill.mjs";
import { searchDatabase } from "./scan/search-database.mjs";

const { values: given } = parseArgs({
  options: {
    bill: { type: "string" },
    database: { type: "string" },
    accepted: { type: "string", default: "docs/accepted-advisories.yaml" },
  },
});

try {
  const accepted = readAccepted(given.accepted);
  const packages = readBill(given.bill ?? makeBill());
  const url = process.env.OSV_URL || "https://api.osv.dev";
  const findings = given.database ? await searchDatabase(given.database, packages) : await askOsv(url, packages);
  const { open, tolerated, expired } = sortOut(findings, accepted, new Date().toISOString().slice(0, 10));
  for (const { finding, until } of tolerated) console.log(`accepted until ${until}: ${describe(finding)}`);
  for (const { id, package: name, until } of expired)
    console.error(`The exception for ${id} (${name}) ended on ${until}: mend it, or look again and say why not.`);
  for (const finding of open) console.error(describe(finding));
  const failures = open.length + expired.length;
  console.log(`${packages.length} packages looked up: ${failures === 0 ? "nothing to do" : `${failures} to look at`}.`);
  if (failures > 0) process.exitCode = 1;
} catch (error) {
  console.error(`Not checked: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 3;
}

/** @returns the file's path */
function makeBill() {
  execFileSync(process.execPath, ["scripts/sbom.mjs"], { stdio: ["ignore", "ignore", "inherit"] });
  return "build/sbom.cdx.json";
}

/** @param {import("./scan/accepted.mjs").Finding} finding */
function describe({ id, aliases, name, version, summary, fixed }) {
  const names = [id, ...aliases].join(", ");
  return `${name} ${version}: ${summary} (${names}); ${fixed.length > 0 ? `fixed in ${fixed.join(", ")}` : "no fix"}`;
}
