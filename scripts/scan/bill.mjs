import { readFileSync } from "node:fs";
import { z } from "zod";

/** One package that is installed. @typedef {{ name: string, version: string, purl: string }} BillPackage */

const billSchema = z.object({
  bomFormat: z.literal("CycloneDX"),
  components: z.array(
    z.object({ group: z.string().optional(), name: z.string(), version: z.string(), purl: z.string() }),
  ),
});

/** The stand-in for packages that never run: it is this repository's own. */
const own = "empty-package";

/**
 * Reads what a CycloneDX bill of materials lists.
 * @param {string} file
 * @returns {BillPackage[]} each with its full name, e.g. `@scope/name`
 * @throws when it is no such bill, or lists nothing
 */
export function readBill(file) {
  const { components } = billSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  const packages = components
    .filter(({ name }) => name !== own)
    .map(({ group, name, version, purl }) => ({ name: group ? `${group}/${name}` : name, version, purl }));
  if (packages.length === 0) throw new Error(`${file} lists no packages.`);
  return packages;
}
