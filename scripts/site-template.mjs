import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./run.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const maker = "tests/support/make-site-template.ts";

/**
 * Returns the data folder of a migrated site, which most tests copy: initializing and migrating PostgreSQL takes longer
 * than a test. The first caller creates it, once for each state of migrations and embedded backend.
 * @returns {Promise<string>} its path
 */
export async function ensureSiteTemplate() {
  const template = await nameTemplate();
  if (existsSync(template)) return template;
  await mkdir(dirname(template), { recursive: true });
  // In a separate process: Vitest, Playwright or a closed Vite runner may have loaded this module.
  const code = await run(process.execPath, [join(root, "scripts/make-site-template.mjs"), template]);
  if (code !== 0) throw new Error("Could not create the site folder that tests copy.");
  return template;
}

/** @returns {Promise<string>} its path, with a hash of everything that its contents depend on */
async function nameTemplate() {
  const hash = createHash("sha256");
  for (const file of ["package-lock.json", maker, "tests/support/test-admin.ts"]) {
    hash.update(await readFile(join(root, file)));
  }
  for (const folder of ["supabase/embedded", "supabase/migrations"]) {
    const names = (await readdir(join(root, folder), { recursive: true })).filter((name) => /\.\w+$/.test(name));
    for (const name of names.toSorted()) hash.update(`${name}\0`).update(await readFile(join(root, folder, name)));
  }
  return join(root, `node_modules/.cache/advisory-website/site-${hash.digest("hex").slice(0, 16)}`);
}
