import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyTree } from "#supabase/embedded/folder/copy-tree.ts";
import { ensureSiteTemplate } from "../../scripts/site-template.mjs";

let made: string[] = [];
const lasting: string[] = [];
process.once("exit", () => {
  removeDataDirs();
  lasting.forEach(remove);
});

/**
 * Removes all folders of this module: after each file of Vitest, and when the process ends. A journey must not call it,
 * because its worker's products live on.
 */
export function removeDataDirs(): void {
  made.forEach(remove);
  made = [];
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** Makes an empty folder that is removed after the test file. A product starts on it for the very first time. */
export async function makeDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "product-"));
  made.push(dataDir);
  return dataDir;
}

/**
 * Like {@link makeDataDir}, but with a migrated database that contains the test admin. It has no keys or secrets: the
 * start creates those, as on a new folder. The database is copied from a template that `npm test` and Vitest make
 * before the first test.
 */
export async function makeSiteFolder(): Promise<string> {
  return fill(makeDataDir());
}

/** Like {@link makeSiteFolder}, but the folder outlives the test file and is removed with the process. */
export async function makeLastingSiteFolder(prefix = "shared-"): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  lasting.push(folder);
  return fill(folder);
}

async function fill(folder: Promise<string> | string): Promise<string> {
  const [dataDir, template] = await Promise.all([folder, ensureSiteTemplate()]);
  await copyTree(join(template, "pg"), join(dataDir, "pg"), () => true);
  return dataDir;
}
