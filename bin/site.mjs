// The program of the product: `node bin/site.mjs <command>`. An image contains it with the build and its imports in
// this folder; npm scripts of the same names call it. Each command imports only what it needs: `healthcheck` runs every
// few seconds.
import "./node-version.mjs";
import { resolve } from "node:path";
import { loadEnvFile } from "./env-file.mjs";
import { loadBuild } from "./load-build.mjs";
import { readWords } from "./read-words.mjs";
import { reportFailure } from "./report-failure.mjs";
import { prepareSurroundings } from "./surroundings.mjs";

/** @typedef {import("../app/server/commands/operations.server").OperationName} OperationName */
/** @typedef {import("../app/server/commands/doctor/settings-checks.server").EnvFile} EnvFile */

const dataFolder = "the data folder";

/**
 * Commands by name. `does` is the usage, which `readWords` reads, up to the first colon and space, then the effect.
 * @type {Record<string, { run: (args: string[]) => Promise<void>, does: string, target: string, details?: string }>}
 */
const commands = {
  serve: {
    does: "serves the build",
    target: dataFolder,
    run: async () => (await import("./serve.mjs")).serve(),
  },
  healthcheck: {
    does: "checks the server on this machine; exit status 0 if healthy, 1 if not",
    target: "the server at HOST and PORT",
    run: async () => (await import("./healthcheck.mjs")).checkHealth(),
  },
  backup: {
    does: "[<file or folder>]: writes an archive of the data folder, even while the server runs",
    target: dataFolder,
    run: operate("backup"),
  },
  "backup-key": {
    does: "[check]: prints new keys that encrypt and sign backups, or checks one",
    target: "none: it stores nothing",
    run: operate("backup-key"),
  },
  "verify-backup": {
    does: "[<file or s3://…>] [--start] [--without-signature]: proves that a backup is complete and from this site, or starts it",
    target: "the file, or the newest backup of the data folder, which records the day",
    run: operate("verify-backup"),
  },
  restore: {
    does: "<file or s3://…> [--replace] [--yes] [--without-erasures] [--without-signature]: restores a backup to the data folder",
    target: dataFolder,
    run: operate("restore"),
  },
  move: {
    does: "[<backup file>] [--without-erasures] [--without-signature]: copies the data folder, or a backup, to the hosted project",
    target: "the database of DATABASE_URL",
    run: operate("move-to-supabase"),
  },
  admin: {
    does:
      "list | set-password <email> | revoke <email> [--even-the-last] | grant <email> | invite <email> | " +
      "new-password-link <email> | reset-second-factor <email> | setup-code <email> | sign-out-all | change-link-key: " +
      "manages the accounts of the embedded backend, whether the server runs or not",
    target: dataFolder,
    details: `
  list                  every account: role, last sign-in, sessions
  set-password          asks for a new password; ends the user's sessions
  revoke                revokes the admin role permanently; ends the user's sessions
                        (--even-the-last: even if no other admin exists)
  grant                 gives the admin role to an account, also after revoke
  invite                prints a link that makes its holder an admin, once, for 72 hours
  new-password-link     prints a link to set a new password, once, for 30 minutes
  reset-second-factor   for a user who has lost their phone and recovery codes
  setup-code            prints a code to set up a second factor where one is required, once, for 72 hours
  sign-out-all          ends every session
  change-link-key       ends every link to a network member's page, after a leak of the database or a backup

The password is typed without echo, or read from the first line of standard input. Links begin with SITE_URL.`,
    run: operate("admin"),
  },
  doctor: {
    does:
      "[--from-outside] [--send-mail] [--selector <name>] [--strict] [--json] [--write-facts]: examines this installation; " +
      "exit status 1 if there is something to look at, 2 to fix",
    target: dataFolder,
    run: operate("doctor"),
  },
  settings: {
    does: "prints the settings in effect and their sources, without secrets; exit status 1 if a start would refuse them",
    target: "the environment and the settings file",
    run: operate("settings"),
  },
  "privacy-pack": {
    does: "[--to <folder>] | consent <number> [--json]: writes the record of processing and proof of deletions, or prints the proof of one consent",
    target: dataFolder,
    run: operate("privacy-pack"),
  },
  words: {
    does: "export [<page>] | check: writes the words of pages to files that you can change, or checks such files",
    target: "words in the data folder",
    run: operate("words"),
  },
  version: {
    does: "prints the version and commit of this build",
    target: "this build",
    run: operate("version"),
  },
};

const caller = prepareSurroundings();
const [first = "", ...args] = process.argv.slice(2);
const isHelp = ["help", "--help", "-h"].includes(first);
const [word = "", ...given] = isHelp ? args : [first === "--version" ? "version" : first, ...args];
const command = Object.hasOwn(commands, word) ? commands[word] : undefined;
if (!command) await printUsage(listCommands(), isHelp && word === "");
else if (isHelp || given.some((each) => each === "--help" || each === "-h")) await printUsage(describe(word), true);
else {
  const words = readWords(usageOf(command), given, caller);
  await (words === null ? printUsage(describe(word), false) : command.run(words));
}

/**
 * Makes the function that runs an operator's command from the server's build, because an image contains no other code,
 * and exits with the command's exit code.
 * @param {OperationName} name
 */
function operate(name) {
  return async (/** @type {string[]} */ words) => {
    try {
      const envFile = readEnvFile(name === "doctor");
      process.exit(await (await loadBuild("operations.js")).operate(name, words, envFile));
    } catch (error) {
      reportFailure(error);
      process.exit(name === "doctor" ? 2 : 1);
    }
  };
}

/** @param {boolean} keepsMistakes returns mistakes instead of throwing them @returns {EnvFile} */
function readEnvFile(keepsMistakes) {
  try {
    return { names: loadEnvFile(), mistakes: null };
  } catch (error) {
    if (!keepsMistakes || !(error instanceof Error)) throw error;
    return { names: [], mistakes: error.message };
  }
}

/** @param {{ does: string }} command */
function usageOf({ does }) {
  return does.includes(": ") ? does.slice(0, does.indexOf(": ")) : "";
}

/** @param {string} text @param {boolean} isWanted */
async function printUsage(text, isWanted) {
  if (isWanted) console.log(text);
  else console.error(text);
  process.exitCode = isWanted ? 0 : 2;
}

function listCommands() {
  const lines = Object.entries(commands).map(([name, { does }]) => `  ${name.padEnd(14)}${does}`);
  return [`Usage: ${process.env.SITE_COMMAND} <command>`, ...lines].join("\n");
}

/** @param {string} name */
function describe(name) {
  const { does, target, details = "" } = /** @type {typeof commands[string]} */ (commands[name]);
  const usage = usageOf({ does });
  // npm passes on only what stands behind two dashes (app/lib/command-line.ts).
  const call = [process.env.SITE_COMMAND, name, usage && process.env.SITE_COMMAND?.endsWith("npm run") ? "--" : ""];
  const ways = usage.split(" | ").map((way) => `  ${call.filter(Boolean).join(" ")} ${way}`.trimEnd());
  const effect = does.slice(usage === "" ? 0 : usage.length + 2);
  const folder = target === dataFolder ? ` ${findDataFolder()}` : "";
  return `Usage:\n${ways.join("\n")}\n\nEffect: ${effect}.\nTarget: ${target}${folder}\n${details}`.trimEnd();
}

function findDataFolder() {
  try {
    loadEnvFile();
  } catch {
    // The help of a command does not depend on the settings.
  }
  const folder = process.env.DATA_DIR?.trim() || (process.env.NODE_ENV === "production" ? "" : "data");
  return folder ? resolve(folder) : "of DATA_DIR, which is not set";
}
