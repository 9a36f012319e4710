import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  type AdminCommandResult,
  type AdminCommand,
  runAdminCommand,
  adminCommandSchema,
} from "../auth/admin-commands.ts";
import { sendAdminCommand } from "../control.ts";
import { DataFolderInUse } from "../folder/lock.ts";
import { takeDataFolder } from "../folder/take-folder.ts";
import { Users, type Transact } from "../auth/users.ts";
import { OperationRefused } from "./operation-refused.ts";
import { withDatabase } from "./read-database.ts";
import { readPassword } from "./read-password.ts";

const help = `Accounts of the embedded backend. The server may run or be stopped.

node bin/site.mjs admin <command>:

  list                         every account: role, last sign-in, sessions
  set-password <email>         asks for a new password; ends the user's sessions
  revoke <email>               revokes the admin role permanently; ends the user's sessions
                               (--even-the-last: even if no other admin exists)
  grant <email>                gives the admin role to an account, also after revoke
  reset-second-factor <email>  for a user who has lost their phone and recovery codes
  setup-code <email>           prints a code to set up a second factor where one is required, once, for 72 hours
  invite <email>               prints a link that makes its holder an admin, once, for 72 hours
  new-password-link <email>    prints a link to set a new password, once, for 30 minutes
  sign-out-all                 ends every session
  change-link-key              ends every link to a network member's page, after a leak of the database or a backup

The password is typed without echo, or read from the first line of standard input. Links begin with SITE_URL.`;

/** Default when SITE_URL is not set. */
const localSite = "http://localhost:3000";

/**
 * Runs one command about accounts, through the server that holds the folder, or directly on the folder if no server
 * runs.
 * @param words arguments after `npm run admin --`
 * @param siteUrl SITE_URL; a running server uses its own
 * @returns output for the operator
 * @throws OperationRefused with a remedy when the command failed; then nothing has changed
 */
export async function runAdmin(words: string[], dataDir: string, siteUrl?: string): Promise<string> {
  if (words.length === 0 || words[0] === "help" || words.includes("--help")) return help;
  const request = await readRequest(words);
  const folder = resolve(dataDir);
  const { done, text } = await runRequest(folder, request, siteUrl?.trim() || localSite);
  if (!done) throw new OperationRefused(text);
  return text;
}

async function readRequest(words: string[]): Promise<AdminCommand> {
  const [command, email] = words.filter((word) => !word.startsWith("--"));
  const options = words.filter((word) => word.startsWith("--"));
  const takesEmail = !["list", "sign-out-all", "change-link-key"].includes(command ?? "");
  const takesOptions = command === "revoke" && options.every((option) => option === "--even-the-last");
  const count = words.length - options.length;
  if (count !== (takesEmail ? 2 : 1) || (options.length > 0 && !takesOptions)) throw new OperationRefused(help);
  const draft = { command, email, evenTheLast: options.length > 0, password: "" };
  if (!adminCommandSchema.safeParse(draft).success) throw new OperationRefused(help);
  if (command === "set-password") draft.password = await readPassword(`New password of ${email}`);
  return adminCommandSchema.parse(draft);
}

async function runRequest(folder: string, request: AdminCommand, siteUrl: string): Promise<AdminCommandResult> {
  if (!existsSync(folder)) throw new OperationRefused(noDatabase(folder));
  const lock = await takeDataFolder(folder).catch((error: unknown) => {
    if (error instanceof DataFolderInUse) return null;
    throw error;
  });
  if (!lock) {
    const result = await sendAdminCommand(folder, request);
    if (result) return result;
    throw new OperationRefused(`The server on ${folder} is starting or stopping. Try again in a moment.`);
  }
  try {
    const files = join(folder, "pg");
    if (!existsSync(files)) throw new OperationRefused(noDatabase(folder));
    return await withDatabase(files, async (database) => {
      const transact: Transact = (work) => database.transaction(work);
      const rules = await database.query("select 1 where to_regprocedure('private.make_setup_code(text)') is not null");
      if (rules.rows.length === 0) {
        throw new OperationRefused(
          "This version has not been started on the folder yet. Start it once, then try again.",
        );
      }
      return runAdminCommand(new Users(transact), transact, request, siteUrl);
    });
  } finally {
    await lock.release();
  }
}

function noDatabase(folder: string): string {
  return `There is no database in ${folder}. Is DATA_DIR right? The accounts of a hosted project are in its dashboard.`;
}
