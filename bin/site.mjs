// The program of the product: `node bin/site.mjs <command>`. An image contains it with the build and its imports in
// this folder; npm scripts of the same names call it. Each command imports only what it needs: `healthcheck` runs every
// few seconds.
import "./node-version.mjs";

/** @type {Record<string, { run: (args: string[]) => Promise<void>, does: string }>} */
const commands = {
  serve: {
    does: "serves the build",
    run: async () => (await import("./serve.mjs")).serve(),
  },
  healthcheck: {
    does: "checks the server on this machine; exit status 0 if healthy, 1 if not",
    run: async () => (await import("./healthcheck.mjs")).checkHealth(),
  },
  backup: {
    does: "[<file or folder>]: writes an archive of the data folder, even while the server runs",
    run: operate("backup"),
  },
  "backup-key": {
    does: "[check]: creates the keys that encrypt and sign backups, or checks one",
    run: operate("backup-key"),
  },
  "verify-backup": {
    does: "<file or s3://…> [--without-signature]: proves that a backup is complete, from this site, and starts",
    run: operate("verify-backup"),
  },
  restore: {
    does: "<file or s3://…> [--replace] [--yes] [--without-erasures] [--without-signature]: restores a backup to the data folder",
    run: operate("restore"),
  },
  move: {
    does: "[<backup file>]: copies the data folder, or a backup, to the hosted project of DATABASE_URL",
    run: operate("move-to-supabase"),
  },
  admin: {
    does: "list | set-password | revoke | grant | invite | new-password-link | reset-second-factor | sign-out-all | change-link-key: manages accounts",
    run: operate("admin"),
  },
  doctor: {
    does: "[--from-outside] [--send-mail] [--selector <name>] [--strict] [--json] [--write-facts]: examines this installation; exit status 1 if there is something to look at, 2 to fix",
    run: operate("doctor"),
  },
  "privacy-pack": {
    does: "[--to <folder>] | consent <number>: the record of processing and proof of deletions, or of one consent",
    run: operate("privacy-pack"),
  },
  version: {
    does: "prints the version and commit of this build",
    run: operate("version"),
  },
};

const [word = "", ...args] = process.argv.slice(2);
const name = word === "--version" ? "version" : word;
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (command) await command.run(args);
else {
  const lines = Object.entries(commands).map(([each, { does }]) => `  ${each.padEnd(14)}${does}`);
  const usage = ["Usage: node bin/site.mjs <command>", ...lines].join("\n");
  if (["help", "--help", "-h"].includes(name)) console.log(usage);
  else {
    console.error(usage);
    process.exitCode = 2;
  }
}

/** @param {import("./operate.mjs").OperationName} operation */
function operate(operation) {
  return async (/** @type {string[]} */ given) => (await import("./operate.mjs")).operate(operation, given);
}
