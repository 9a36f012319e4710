import { join } from "node:path";
import { DataFolderInUse } from "../folder/lock.ts";
import type { Manifest } from "./manifest.ts";
import { OperationRefused } from "./operation-refused.ts";

/** What an operator can ask for, by the name of its npm script. */
export type OperationName = "backup" | "verify-backup" | "restore" | "move-to-supabase" | "admin";

/** Where an operation works: the variables of the same names. */
export interface OperationSettings {
  DATA_DIR?: string | undefined;
  DATABASE_URL?: string | undefined;
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
  try {
    console.log(await operations[name](words, settings));
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
    const [file] = readWords(words, { atMost: 1, usage: "npm run backup [-- <file>]" }).files;
    const { makeBackup } = await import("./backup.ts");
    const startedAt = performance.now();
    const backup = await makeBackup(dataDirOf(settings), file);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const advice = file ? "" : "\nIt is on the same disk as the data: keep a copy elsewhere.";
    return `${backup.file}: ${describe(backup.manifest)}, ${megabytes(backup.bytes)}, in ${seconds} s.${advice}`;
  },
  "verify-backup": async (words) => {
    const file = readFile(words, "npm run verify-backup -- <file>");
    const { verifyBackup } = await import("./verify.ts");
    return `${file} is intact: ${describe(await verifyBackup(file))}.`;
  },
  restore: async (words, settings) => {
    const usage = "npm run restore -- <file> [--replace]";
    const { files, replace } = readWords(words, { atMost: 1, usage });
    const file = files[0] ?? refuse(usage);
    const { restoreBackup } = await import("./restore.ts");
    const dataDir = dataDirOf(settings);
    const { manifest, replaced } = await restoreBackup(file, dataDir, { replace });
    const kept = replaced ? `\nWhat was there is kept in ${replaced}; delete it when it is not needed any more.` : "";
    return `${dataDir} is restored: ${describe(manifest)}.${kept}`;
  },
  "move-to-supabase": async (words, settings) => {
    const { files } = readWords(words, { atMost: 1, usage: "npm run move-to-supabase [-- <backup file>]" });
    if (!settings.DATABASE_URL) throw new OperationRefused("Set DATABASE_URL to the project's direct connection.");
    const { moveToSupabase } = await import("./move-to-supabase.ts");
    const moved = await moveToSupabase(files[0] ?? dataDirOf(settings), settings.DATABASE_URL);
    const lines = moved.tables.map(({ name, rows }) => `- ${name}: ${rows}`);
    return ["Moved, counts and hashes compared:", `- accounts: ${moved.users}`, ...lines].join("\n");
  },
  admin: async (words, settings) => {
    const { runAdmin } = await import("./admin.ts");
    return runAdmin(words, dataDirOf(settings));
  },
};

function readWords(words: string[], { atMost, usage }: { atMost: number; usage: string }) {
  const files = words.filter((word) => !word.startsWith("--"));
  const options = words.filter((word) => word.startsWith("--"));
  const replace = options.includes("--replace");
  if (files.length > atMost || options.length > Number(replace && usage.includes("--replace"))) refuse(usage);
  return { files, replace };
}

function readFile(words: string[], usage: string): string {
  return readWords(words, { atMost: 1, usage }).files[0] ?? refuse(usage);
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
