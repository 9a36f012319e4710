// Makes sure that the packages of the folders that are named are there: `node scripts/install.mjs tests tools`.
import { ensureInstalled } from "./ensure-installed.mjs";

for (const name of /** @type {("tests" | "tools")[]} */ (process.argv.slice(2))) await ensureInstalled(name);
