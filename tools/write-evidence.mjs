import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { format, resolveConfig } from "prettier";

/**
 * Writes a page of evidence, formatted as the format check requires.
 * @param {string} file e.g. "docs/evidence/markup.md"
 * @param {string} markdown
 */
export async function writeEvidence(file, markdown) {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, await format(markdown, { ...(await resolveConfig(file)), parser: "markdown" }));
}
