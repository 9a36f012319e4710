// Writes sbom.cdx.json, the bill of materials of what production runs, in the format CycloneDX: `npm run sbom` (into build/).
// With --in-place this folder holds production packages only, as while an image is built; else they are first installed
// in a folder of their own. npm's `--omit` is of no use here: it drops every package that development asks for as well.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const file = "sbom.cdx.json";

if (process.argv.includes("--in-place")) {
  writeFileSync(file, describe("."));
} else {
  const folder = mkdtempSync(join(tmpdir(), "sbom-"));
  try {
    for (const path of ["package.json", "package-lock.json", "scripts/empty-package"])
      cpSync(path, join(folder, path), { recursive: true });
    npm(folder, ["ci", "--omit=dev", "--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund"]);
    mkdirSync("build", { recursive: true });
    writeFileSync(`build/${file}`, describe(folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Leaves a package.json behind that asks for production packages only: npm refuses to describe a folder where others are
 * missing.
 * @param {string} folder with its production packages installed
 * @returns {string} CycloneDX 1.5 as JSON
 */
function describe(folder) {
  const path = join(folder, "package.json");
  const { devDependencies = {}, ...manifest } = JSON.parse(readFileSync(path, "utf8"));
  for (const name of Object.keys(devDependencies)) delete manifest.overrides?.[name];
  writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
  const bill = JSON.parse(npm(folder, ["sbom", "--sbom-format=cyclonedx", "--sbom-type=application"]));
  // npm takes the folder's name.
  bill.metadata.component.name = manifest.name;
  return `${JSON.stringify(bill, null, 2)}\n`;
}

/** @param {string} cwd @param {string[]} args @returns {string} standard output */
function npm(cwd, args) {
  return execFileSync("npm", args, {
    cwd,
    encoding: "utf8",
    maxBuffer: 64 << 20,
    stdio: ["ignore", "pipe", "inherit"],
  });
}
