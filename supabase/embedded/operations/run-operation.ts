import { join } from "node:path";
import { backupDays } from "../../../app/lib/backup-days.ts";
import { erasureListName } from "../folder/erasure-list.ts";
import { DataFolderInUse } from "../folder/lock.ts";
import type { ErasedAgain } from "./erase-again.ts";
import type { Manifest } from "./manifest.ts";
import { OperationRefused } from "./operation-refused.ts";

/** What an operator can ask for, by the name of its npm script. */
export type OperationName = "backup" | "verify-backup" | "restore" | "move-to-supabase" | "admin";

/** Where an operation works: the variables of the same names. */
export interface OperationSettings {
  DATA_DIR?: string | undefined;
  DATABASE_URL?: string | undefined;
  BACKUP_KEEP_DAYS?: string | undefined;
}

/**
 * Does one operation and tells the operator on standard output or, when it was refused, on standard error what to do.
 * @param words what stood on the command line behind the script's name
 * @returns the exit code: 0, or 1 when nothing was done or a backup is not what it should be
 * @throws what is neither the operator's nor an archive's fault
 */
export async function runOperation(
  name: OperationName,
  words: string[],
  settings: OperationSettings = process.env as OperationSettings,
): Promise<number> {
  return tellOutcome(() => operations[name](words, settings));
}

/**
 * Prints what an operation says of itself or, on standard error, why it was refused.
 * @returns the exit code
 * @throws what `work` throws, where it is neither the operator's nor an archive's fault
 */
export async function tellOutcome(work: () => Promise<string>): Promise<number> {
  try {
    console.log(await work());
    return 0;
  } catch (error) {
    if (!(error instanceof OperationRefused || error instanceof DataFolderInUse)) throw error;
    console.error(error.message);
    return 1;
  }
}

/** Each is loaded only when it is asked for: the server, in whose build they travel, needs none of them. */
const operations: Record<OperationName, (words: string[], settings: OperationSettings) => Promise<string>> = {
  backup: async (words, settings) => {
    const [file] = readWords(words, "npm run backup [-- <file or folder>]").files;
    const keepDays = readKeepDays(settings);
    const { makeBackup } = await import("./backup.ts");
    const startedAt = performance.now();
    const { file: made, bytes, manifest, expired } = await makeBackup(dataDirOf(settings), file, keepDays);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const lines = [`${made}: ${describe(manifest)}, ${megabytes(bytes)}, in ${seconds} s.`];
    if (!file)
      lines.push(`It is on the same disk as the data: keep a copy elsewhere, with ${erasureListName} beside it.`);
    if (expired.length > 0)
      lines.push(
        `Deleted, because older than ${keepDays} days (BACKUP_KEEP_DAYS):`,
        ...expired.map((path) => `- ${path}`),
      );
    return lines.join("\n");
  },
  "verify-backup": async (words) => {
    const file = readFile(words, "npm run verify-backup -- <file>");
    const { verifyBackup } = await import("./verify.ts");
    return `${file} is intact: ${describe(await verifyBackup(file))}.`;
  },
  restore: async (words, settings) => {
    const usage = "npm run restore -- <file> [--replace] [--without-erasures]";
    const { files, options } = readWords(words, usage);
    const file = files[0] ?? refuse(usage);
    const { restoreBackup } = await import("./restore.ts");
    const dataDir = dataDirOf(settings);
    const { manifest, replaced, erasures } = await restoreBackup(file, dataDir, {
      replace: options.has("--replace"),
      withoutErasures: options.has("--without-erasures"),
    });
    const lines = [`${dataDir} is restored: ${describe(manifest)}.`, describeErasures(erasures)];
    if (replaced)
      lines.push(`What was there is kept in ${replaced}. It is deleted like a backup, after BACKUP_KEEP_DAYS.`);
    return lines.join("\n");
  },
  "move-to-supabase": async (words, settings) => {
    const { files, options } = readWords(words, "npm run move-to-supabase [-- <backup file> [--without-erasures]]");
    if (!settings.DATABASE_URL) throw new OperationRefused("Set DATABASE_URL to the project's direct connection.");
    const { moveToSupabase } = await import("./move-to-supabase.ts");
    const moved = await moveToSupabase(files[0] ?? dataDirOf(settings), settings.DATABASE_URL, {
      withoutErasures: options.has("--without-erasures"),
    });
    const lines = moved.tables.map(({ name, rows }) => `- ${name}: ${rows}`);
    if (moved.erasures) lines.push(describeErasures(moved.erasures));
    return ["Moved, counts and hashes compared:", `- accounts: ${moved.users}`, ...lines].join("\n");
  },
  admin: async (words, settings) => {
    const { runAdmin } = await import("./admin.ts");
    return runAdmin(words, dataDirOf(settings));
  },
};

/** One file at most, and the options that the usage names. */
function readWords(words: string[], usage: string): { files: string[]; options: Set<string> } {
  const files = words.filter((word) => !word.startsWith("--"));
  const options = new Set(words.filter((word) => word.startsWith("--")));
  const known: string[] = usage.match(/--[a-z-]+/g) ?? [];
  if (files.length > 1 || [...options].some((option) => !known.includes(option))) refuse(usage);
  return { files, options };
}

/** The same rule as the server's (settings.server.ts), which a command must not start without. */
function readKeepDays({ BACKUP_KEEP_DAYS }: OperationSettings): number {
  const { unlessSet, fewest, most } = backupDays;
  const text = BACKUP_KEEP_DAYS?.trim() || String(unlessSet);
  const days = /^\d+$/.test(text) ? Number(text) : 0;
  if (days < fewest || days > most)
    throw new OperationRefused(`BACKUP_KEEP_DAYS must be a whole number from ${fewest} to ${most}.`);
  return days;
}

function describeErasures({ again, completeUntil }: ErasedAgain): string {
  if (completeUntil === null)
    return "There was no list of erasures: whoever was erased since is back. Erase them again.";
  const people = again === 1 ? "1 person was" : `${again} people were`;
  return `${people} erased again: the list of erasures is complete until ${completeUntil}.`;
}

function readFile(words: string[], usage: string): string {
  return readWords(words, usage).files[0] ?? refuse(usage);
}

function refuse(usage: string): never {
  throw new OperationRefused(`Usage: ${usage}`);
}

function dataDirOf(settings: OperationSettings): string {
  return settings.DATA_DIR?.trim() || join(".", "data");
}

function describe({ madeAt, productVersion, migrations, tables, files }: Manifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const parts = [
    `made ${madeAt} by version ${productVersion}`,
    `${migrations.length} migrations`,
    `${rows} rows in ${tables.length} tables`,
    `${files.length} files`,
  ];
  return parts.join(", ");
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
