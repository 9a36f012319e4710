import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyTree } from "#supabase/embedded/folder/copy-tree.ts";
import { ensureSiteTemplate } from "../../scripts/site-template.mjs";

let made: string[] = [];
process.once("exit", removeDataDirs);

/** Removes all folders that this module has made; a test file's when it is through, and the rest when the process ends. */
export function removeDataDirs(): void {
  for (const folder of made) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  made = [];
}

/** An empty folder that is removed when the test file is through: a product on it makes its very first start. */
export async function makeDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "product-"));
  made.push(dataDir);
  return dataDir;
}

/**
 * As {@link makeDataDir}, but with a database that has all migrations. The test admin is in it, but no keys or secrets: those
 * are made by the start, as on a new folder. It is copied from one that `npm test` and Vitest make before the first test.
 */
export async function makeSiteFolder(): Promise<string> {
  return fill(makeDataDir());
}

/** As {@link makeSiteFolder}, but it stays when the test file is through, and is removed with what the whole run has made. */
export async function makeLastingSiteFolder(): Promise<string> {
  return fill(mkdtemp(join(tmpdir(), "shared-")));
}

async function fill(folder: Promise<string>): Promise<string> {
  const [dataDir, template] = await Promise.all([folder, ensureSiteTemplate()]);
  await copyTree(join(template, "pg"), join(dataDir, "pg"), () => true);
  return dataDir;
}
