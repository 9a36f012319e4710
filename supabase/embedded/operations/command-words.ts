import { join } from "node:path";
import { type BackupVariables, backupVariables, listBackupContradictions } from "../../../app/lib/backup-settings.ts";
import { requireUsableFolder } from "../folder/usable-folder.ts";
import type { RepeatedErasures } from "./backups/erase-again.ts";
import { OperationRefused } from "./operation-refused.ts";

/** Settings of operations: environment variables by name. */
export type OperationSettings = Partial<
  Record<
    | "DATA_DIR"
    | "DATABASE_URL"
    | "SITE_URL"
    | "BACKUP_KEEP_DAYS"
    | "BACKUP_RECIPIENT"
    | "BACKUP_SIGNING_KEY"
    | "BACKUP_TO"
    | "AWS_ACCESS_KEY_ID"
    | "AWS_SECRET_ACCESS_KEY"
    | "AWS_REGION"
    | "AWS_ENDPOINT_URL",
    string | undefined
  >
>;

/**
 * Parses the arguments of a command: at most one file, and the options that the usage names.
 * @throws OperationRefused with the usage
 */
export function readWords(words: string[], usage: string): { files: string[]; options: Set<string> } {
  const files = words.filter((word) => !word.startsWith("--"));
  const options = new Set(words.filter((word) => word.startsWith("--")));
  const known: string[] = usage.match(/--[a-z-]+/g) ?? [];
  if (files.length > 1 || [...options].some((option) => !known.includes(option))) refuseUsage(usage);
  return { files, options };
}

/** @throws OperationRefused with the usage, always */
export function refuseUsage(usage: string): never {
  throw new OperationRefused(`Usage: ${usage}`);
}

/**
 * Returns the configured or default data folder, which need not exist.
 * @throws DataFolderUnusable
 */
export function dataDirOf(settings: OperationSettings): string {
  const dataDir = settings.DATA_DIR?.trim() || join(".", "data");
  requireUsableFolder(dataDir);
  return dataDir;
}

/** Reads the settings that encrypt, sign and copy backups. @throws OperationRefused with every mistake */
export function readBackupVariables(settings: OperationSettings): BackupVariables {
  const given = Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : [])),
  );
  const parsed = backupVariables.safeParse(given);
  const mistakes = [
    ...(parsed.error?.issues ?? []).map(({ path, message }) => `${path.join(".")} ${message}`),
    ...listBackupContradictions(given),
  ];
  if (!parsed.success || mistakes.length > 0) throw new OperationRefused(mistakes.join("\n"));
  return parsed.data;
}

/** Describes the erasures that a restore repeated. */
export function describeErasures({ again, letters, completeUntil }: RepeatedErasures): string {
  const stopped =
    letters === 0 ? "" : ` Letters to the network that were being sent are stopped: ${letters}. Their pages say so.`;
  if (completeUntil === null)
    return `There was no list of erasures. People who were erased since are back: erase them again.${stopped}`;
  const people = again === 1 ? "1 person was" : `${again} people were`;
  return `${people} erased again: the list of erasures is complete until ${completeUntil}.${stopped}`;
}
