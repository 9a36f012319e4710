// Writes sbom.cdx.json, the bill of materials of the packages in a folder, for the archive (pack.mjs) and the image (Dockerfile).
// Its package.json names production's packages alone: `npm sbom --omit` would also drop those that development depends on.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [folder = "."] = process.argv.slice(2);
const options = ["--sbom-format=cyclonedx", "--sbom-type=application"];
const { status, stdout, stderr } = spawnSync("npm", ["sbom", ...options], { cwd: folder, encoding: "utf8" });
if (status !== 0) throw new Error(stderr);
const bill = JSON.parse(stdout);
// The same packages give the same file.
delete bill.serialNumber;
delete bill.metadata.timestamp;
const { name, config } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
// npm takes the folder's name for the product's.
bill.metadata.component.name = name;
// Scanners know the PostgreSQL inside PGlite by this name only.
const pglite = bill.components.find((/** @type {{ name: string }} */ part) => part.name.endsWith("pglite"));
const cpe = `cpe:2.3:a:postgresql:postgresql:${config.postgresql}:*:*:*:*:*:*:*`;
pglite.components = [{ type: "application", name: "postgresql", version: config.postgresql, cpe }];
writeFileSync(join(folder, "sbom.cdx.json"), `${JSON.stringify(bill, null, 2)}\n`);
