import { createHash } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { mkdir, mkdtemp, readFile, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyTree } from "#supabase/embedded/folder/copy-tree.ts";

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
 * As {@link makeDataDir}, but with a database that has all migrations: initializing PostgreSQL and migrating it takes
 * longer than most tests. The test admin is in it, but no keys or secrets: those are made by the start, as on a new folder.
 * It is copied from one that is made once for each state of migrations and embedded backend, by the first that needs it.
 */
export async function makeSiteFolder(): Promise<string> {
  return fill(makeDataDir());
}

/** As {@link makeSiteFolder}, but it stays when the test file is through, and is removed with what the whole run has made. */
export async function makeLastingSiteFolder(): Promise<string> {
  return fill(mkdtemp(join(tmpdir(), "shared-")));
}

async function fill(folder: Promise<string>): Promise<string> {
  const [dataDir, template] = await Promise.all([folder, findTemplate()]);
  if (template) await copyTree(join(template, "pg"), join(dataDir, "pg"), () => true);
  return dataDir;
}

async function findTemplate(): Promise<string | null> {
  const cache = "node_modules/.cache/advisory-website";
  const template = join(cache, `site-${await digestOfOrigin()}`);
  if (existsSync(template)) return template;
  // The backend takes its migrations from Vite's glob; a browser journey then begins on an empty folder.
  if (!process.env.VITEST) return null;
  await mkdir(cache, { recursive: true });
  const { makeSiteTemplate } = await import("./site-template.ts");
  await makeSiteTemplate(template);
  return template;
}

/** Of everything that decides what is in the template. */
async function digestOfOrigin(): Promise<string> {
  const hash = createHash("sha256");
  for (const file of ["package-lock.json", "tests/support/site-template.ts", "tests/support/test-admin.ts"]) {
    hash.update(await readFile(file));
  }
  for (const folder of ["supabase/embedded", "supabase/migrations"]) {
    const names = (await readdir(folder, { recursive: true })).filter((name) => /\.\w+$/.test(name));
    for (const name of names.toSorted()) hash.update(`${name}\0`).update(await readFile(join(folder, name)));
  }
  return hash.digest("hex").slice(0, 16);
}
