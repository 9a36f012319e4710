// Looks for known advisories about what production runs: `npm run scan`. It asks the OSV database (osv.dev; OSV_URL for
// a mirror), or reads a copy of it (`-- --database <folder or zip>`), and needs nothing of the registry's own audit.
// Ends with 0 when there is nothing that docs/accepted-advisories.yaml does not accept, with 1 when there is, and with 3
// when it could not look: that is never good news.
import { runScan } from "./scan/run-scan.mjs";

process.exitCode = await runScan(process.argv.slice(2), process.env.OSV_URL || undefined);
