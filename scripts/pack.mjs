// Packs the build for a server that has only Node.js: `npm run pack` builds the site and writes site-<version>.tar.gz.
// `node scripts/pack.mjs <folder>` packs the existing build into a folder.
// The archive has the same contents as the image (Dockerfile), and the files of deploy/ and docs/operations/.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create } from "tar";

/** @typedef {{ dev?: true, devOptional?: true, optional?: true }} LockedPackage */

const folders = [
  "build",
  "public",
  "bin",
  "deploy",
  "scripts/empty-package",
  "docs/operations",
  "docs/facts.example.yaml",
];
const files = ["CHANGELOG.md", "SECURITY.md", ".env.example"];
/** Needs development's packages, serves tests, or is read by editors and debuggers only. */
const isLeftOut = /(?:^bin\/dev[^/]*|\.test\.ts|\.map|\.d\.[cm]?ts)$/;

const manifest = JSON.parse(await readFile("package.json", "utf8"));
// Two builds between releases must not land in one folder, so that their name has the commit.
const isRelease = !manifest.version.endsWith("-dev");
const built = spawnSync(process.execPath, ["bin/site.mjs", "version"], { encoding: "utf8" }).stdout.trim();
const archive = `site-${isRelease ? manifest.version : built}`;
const [target = "."] = process.argv.slice(2);
const staging = await mkdtemp(join(tmpdir(), "pack-"));
try {
  for (const path of [...folders, ...files, ...(await listProductionPackages())]) await copy(path);
  await writeManifest();
  execFileSync(process.execPath, ["scripts/bill-of-materials.mjs", staging], { stdio: "inherit" });
  await writeArchive();
  console.log(`${archive}.tar.gz`);
} finally {
  await rm(staging, { recursive: true, force: true });
}

/** @returns {Promise<string[]>} top-level folders of the packages that `npm ci --omit=dev --omit=optional` installs */
async function listProductionPackages() {
  const { packages } = JSON.parse(await readFile("package-lock.json", "utf8"));
  return Object.entries(/** @type {Record<string, LockedPackage>} */ (packages))
    .filter(([, { dev, devOptional, optional }]) => !dev && !devOptional && !optional)
    .map(([path]) => path)
    .filter((path) => /^node_modules\/(?!.*\/node_modules\/)/.test(path));
}

/** @param {string} path of a file or folder of this checkout, which may be missing in docs/ */
async function copy(path) {
  if (!existsSync(path)) return;
  await cp(path, join(staging, path), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !isLeftOut.test(source),
  });
}

/** Writes package.json without scripts and development's packages, which `npm sbom` would miss. */
async function writeManifest() {
  const { devDependencies, ...production } = manifest;
  delete production.scripts;
  for (const name of Object.keys(devDependencies)) delete production.overrides[name];
  await writeFile(join(staging, "package.json"), `${JSON.stringify(production, null, 2)}\n`);
}

/** Writes the archive with sorted names, the commit's time, and no owner. */
async function writeArchive() {
  const { stdout } = spawnSync("git", ["log", "-1", "--format=%cI"], { encoding: "utf8" });
  const mtime = new Date(stdout?.trim() || 0);
  const paths = (await readdir(staging, { recursive: true, withFileTypes: true }))
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(staging.length + 1))
    .toSorted();
  await create(
    { file: join(target, `${archive}.tar.gz`), cwd: staging, prefix: archive, gzip: true, portable: true, mtime },
    paths,
  );
}
