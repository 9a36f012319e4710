import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type AdminCommand, runAdminCommand, adminCommandSchema } from "../auth/admin-commands.ts";
import { sendAdminCommand } from "../control.ts";
import { DataFolderInUse } from "../folder/lock.ts";
import { takeDataFolder } from "../folder/take-folder.ts";
import { Users, type Transact } from "../auth/users.ts";
import { splitWords } from "./command-words.ts";
import { OperationRefused } from "./operation-refused.ts";
import { withDatabase } from "./read-database.ts";
import { readPassword } from "./read-password.ts";

/** Default when SITE_URL is not set. */
const localSite = "http://localhost:3000";

/**
 * Runs one command about accounts, through the server that holds the folder, or directly on the folder if no server
 * runs.
 * @param words arguments after the command
 * @param siteUrl SITE_URL; a running server uses its own
 * @returns output for the operator
 * @throws OperationRefused with a remedy when the command failed; then nothing has changed
 */
export async function runAdmin(words: string[], dataDir: string, siteUrl?: string): Promise<string> {
  const request = await readRequest(words);
  const folder = resolve(dataDir);
  return `Data folder: ${folder}\n${await runRequest(folder, request, siteUrl?.trim() || localSite)}`;
}

async function readRequest(words: string[]): Promise<AdminCommand> {
  const { files, options } = splitWords(words);
  const [command, email] = files;
  const parsed = adminCommandSchema.safeParse({ command, email, evenTheLast: options.size > 0 });
  if (!parsed.success) throw new OperationRefused(`${email} is not an email address.`);
  if (parsed.data.command === "set-password") parsed.data.password = await readPassword(`New password of ${email}`);
  return parsed.data;
}

async function runRequest(folder: string, request: AdminCommand, siteUrl: string): Promise<string> {
  if (!existsSync(folder)) throw new OperationRefused(noDatabase(folder));
  const lock = await takeDataFolder(folder).catch((error: unknown) => {
    if (error instanceof DataFolderInUse) return null;
    throw error;
  });
  if (!lock) {
    const result = await sendAdminCommand(folder, request);
    if (result !== null) return result;
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
