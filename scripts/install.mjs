// Ensures that the packages of the named folders are installed: `node scripts/install.mjs tests tools`.
import { ensureInstalled } from "./ensure-installed.mjs";

for (const name of /** @type {("tests" | "tools")[]} */ (process.argv.slice(2))) await ensureInstalled(name);
