import { normalizeText, stripDirectionMarks } from "../../../app/lib/plain-text.ts";
import { DataFolderInUse } from "../folder/lock.ts";
import { DataFolderUnusable } from "../folder/usable-folder.ts";
import { dataDirOf, describeErasures, type OperationSettings, splitWords } from "./command-words.ts";
import { OperationRefused } from "./operation-refused.ts";

/** Operations, by the names of their npm scripts. */
export type OperationName = "backup" | "backup-key" | "verify-backup" | "restore" | "move-to-supabase" | "admin";

/**
 * Runs one operation and prints its result on standard output or, when it was refused, the remedy on standard error.
 * @param words arguments after the script's name, which fit its usage in bin/site.mjs
 * @returns the exit code: 0, or 1 when nothing was done or a backup failed verification
 * @throws errors that neither the operator nor an archive caused
 */
export async function runOperation(
  name: OperationName,
  words: string[],
  settings: OperationSettings = process.env as OperationSettings,
): Promise<number> {
  return printOutcome(() => operations[name](words, settings));
}

/**
 * Prints the result of `work` or, on standard error, the reason for its refusal.
 * @returns the exit code
 * @throws errors of `work` that neither the operator nor an archive caused
 */
export async function printOutcome(work: () => Promise<string>): Promise<number> {
  try {
    console.log(printable(await work()));
    return 0;
  } catch (error) {
    const isForOperator =
      error instanceof OperationRefused || error instanceof DataFolderInUse || error instanceof DataFolderUnusable;
    if (!isForOperator) throw error;
    console.error(printable(error.message));
    return 1;
  }
}

/** Strips control characters: a crafted backup could contain names that a terminal interprets. */
export function printable(text: string): string {
  return stripDirectionMarks(normalizeText(text));
}

/** Operations by name, loaded on demand: the server's build includes them, but the server uses none. */
const operations: Record<OperationName, (words: string[], settings: OperationSettings) => Promise<string>> = {
  backup: async (words, settings) => (await import("../backups/backup-commands.ts")).backUp(words, settings),
  "backup-key": async (words, settings) =>
    (await import("../backups/backup-commands.ts")).makeOrCheckKey(words, settings),
  "verify-backup": async (words, settings) => (await import("../backups/restore-commands.ts")).verify(words, settings),
  restore: async (words, settings) => (await import("../backups/restore-commands.ts")).restore(words, settings),
  "move-to-supabase": async (words, settings) => {
    const { files, options } = splitWords(words);
    if (!settings.DATABASE_URL) throw new OperationRefused("Set DATABASE_URL to the project's direct connection.");
    const { moveToSupabase } = await import("./move/move-to-supabase.ts");
    const source = files[0] ?? dataDirOf(settings);
    const moved = await moveToSupabase(source, settings.DATABASE_URL, {
      withoutErasures: options.has("--without-erasures"),
      ...(await import("../backups/restore-commands.ts")).readingOf(settings, options),
    });
    const lines = moved.tables.map(({ name, rows }) => `- ${name}: ${rows}`);
    if (moved.erasures) lines.push(describeErasures(moved.erasures));
    return [`Moved from ${source}; counts and hashes match:`, `- accounts: ${moved.users}`, ...lines].join("\n");
  },
  admin: async (words, settings) => {
    const { runAdmin } = await import("./admin.ts");
    return runAdmin(words, dataDirOf(settings), settings.SITE_URL);
  },
};
