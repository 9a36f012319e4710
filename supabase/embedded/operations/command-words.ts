import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { countOf } from "../../../app/lib/count-of.ts";
import { type BackupVariables, backupVariables, listBackupContradictions } from "../../../app/lib/backup-settings.ts";
import { requireUsableFolder } from "../folder/usable-folder.ts";
import type { RepeatedErasures } from "../backups/erase-again.ts";
import { OperationRefused } from "./operation-refused.ts";

/** Settings of operations: environment variables by name. */
export type OperationSettings = Partial<
  Record<
    "DATA_DIR" | "NODE_ENV" | "DATABASE_URL" | "SITE_URL" | "BACKUP_KEEP_DAYS" | keyof BackupVariables,
    string | undefined
  >
>;

/** Separates the arguments of a command, which fit its usage, into files and options. */
export function splitWords(words: string[]): { files: string[]; options: Set<string> } {
  const files = words.filter((word) => !word.startsWith("--"));
  return { files, options: new Set(words.filter((word) => word.startsWith("--"))) };
}

/**
 * Returns the absolute path of the data folder of a command, which need not exist. A checkout has a default; elsewhere a
 * guessed folder would make a restore look like a success.
 * @throws OperationRefused when no folder is named, or another user's server owns it
 * @throws DataFolderUnusable
 */
export function dataDirOf(settings: OperationSettings): string {
  const named = settings.DATA_DIR?.trim();
  if (!named && settings.NODE_ENV === "production")
    throw new OperationRefused(
      "DATA_DIR is not set, so nothing was done. Write the absolute path of the data folder before the command " +
        "(DATA_DIR=/var/lib/site …) or into the site's settings. On a small server the command is `site …`.",
    );
  const dataDir = resolve(named || "data");
  requireUsableFolder(dataDir);
  requireOwner(dataDir);
  return dataDir;
}

/**
 * Checks that root does not leave files in the data folder of another user, who could not read them.
 * @throws OperationRefused
 */
export function requireOwner(dataDir: string): void {
  if (process.getuid?.() !== 0) return;
  // The folder itself may be a volume of root.
  const owners = ["pg", ""].map((name) => statSync(join(dataDir, name), { throwIfNoEntry: false })?.uid);
  const owner = owners.find((uid) => uid !== undefined);
  if (owner)
    throw new OperationRefused(
      `${dataDir} belongs to the user with the id ${owner}, who could not use files of root, so nothing was done. Run ` +
        "this command as that user. On a small server `site …` does so.",
    );
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
  return `${countOf(again, "person was", "people were")} erased again: the list of erasures is complete until ${completeUntil}.${stopped}`;
}
