import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const maker = "tests/support/make-site-template.ts";

/**
 * Makes the folder of a site that has been set up, which most tests copy: initializing PostgreSQL and migrating it takes
 * longer than they do. It is made once for each state of migrations and embedded backend.
 */
export async function ensureSiteTemplate() {
  const template = await findSiteTemplate();
  if (existsSync(template)) return;
  await mkdir(join(template, ".."), { recursive: true });
  // The backend takes its migrations from Vite's glob.
  const { createServer } = await import("vite");
  const vite = await createServer({
    root,
    configFile: false,
    logLevel: "warn",
    appType: "custom",
    server: { middlewareMode: true, hmr: false, watch: null },
    optimizeDeps: { noDiscovery: true },
    resolve: { alias: { "#supabase": join(root, "supabase") } },
  });
  const { makeSiteTemplate } = await vite.ssrLoadModule(`/${maker}`);
  await makeSiteTemplate(template);
  await vite.close();
}

/**
 * Where it is, or will be.
 * @returns {Promise<string>} named by everything that decides what is in it
 */
export async function findSiteTemplate() {
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
