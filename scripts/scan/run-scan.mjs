import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";
import { readAccepted, sortOut } from "./accepted.mjs";
import { askOsv } from "./ask-osv.mjs";
import { readBill } from "./bill.mjs";
import { searchDatabase } from "./search-database.mjs";

/**
 * Looks for known advisories about what production runs, and prints them.
 * @param {string[]} words what stood on the command line
 * @param {string} [osvUrl] of the OSV database, or of a mirror
 * @returns {Promise<number>} 0 when there is nothing that is not accepted, 1 when there is, 3 when it could not look: that is
 *   never good news
 */
export async function runScan(words, osvUrl = "https://api.osv.dev") {
  const { values: given } = parseArgs({
    args: words,
    options: {
      bill: { type: "string" },
      database: { type: "string" },
      accepted: { type: "string", default: "docs/accepted-advisories.yaml" },
    },
  });
  try {
    const accepted = readAccepted(given.accepted);
    const packages = readBill(given.bill ?? makeBill());
    const findings = given.database ? await searchDatabase(given.database, packages) : await askOsv(osvUrl, packages);
    const { open, tolerated, expired } = sortOut(findings, accepted, new Date().toISOString().slice(0, 10));
    for (const { finding, until } of tolerated) console.log(`accepted until ${until}: ${describe(finding)}`);
    for (const { id, package: name, until } of expired)
      console.error(`The exception for ${id} (${name}) ended on ${until}: mend it, or look again and say why not.`);
    for (const finding of open) console.error(describe(finding));
    const failures = open.length + expired.length;
    console.log(
      `${packages.length} packages looked up: ${failures === 0 ? "nothing to do" : `${failures} to look at`}.`,
    );
    return failures > 0 ? 1 : 0;
  } catch (error) {
    console.error(`Not checked: ${error instanceof Error ? error.message : String(error)}`);
    return 3;
  }
}

/** @returns the file's path */
function makeBill() {
  execFileSync(process.execPath, ["scripts/sbom.mjs"], { stdio: ["ignore", "ignore", "inherit"] });
  return "build/sbom.cdx.json";
}

/** @param {import("./accepted.mjs").Finding} finding */
function describe({ id, aliases, name, version, summary, fixed }) {
  const names = [id, ...aliases].join(", ");
  return `${name} ${version}: ${summary} (${names}); ${fixed.length > 0 ? `fixed in ${fixed.join(", ")}` : "no fix"}`;
}
