import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { backupsFolder } from "./data-folder.ts";
import { writeFileDurably } from "./durable-files.ts";
import { findDate, findNewestBackup } from "./expired-backups.ts";

/** Beside the backups: what came of the last try that failed. There is none after one that did not. */
const failureName = "last-failure.json";

const failureSchema = z.object({
  /** ISO 8601, UTC */
  at: z.iso.datetime(),
  /** what stopped it, e.g. `ENOSPC`, or the name of an error */
  code: z.string(),
  /** what failed: making one, or copying what was made */
  what: z.enum(["backup", "copy"]),
});

/** Beside the backups: the newest of them that was copied elsewhere. */
const copiedName = "last-copy.json";

const copiedSchema = z.object({ name: z.string() });

/** A backup that the server could not make, or could not copy. */
export type BackupFailure = z.output<typeof failureSchema>;

/** How the backups of a data folder stand. */
export interface BackupStatus {
  /** the newest one, which was verified before it got its name; `at` in milliseconds since 1970 */
  newest: { name: string; at: number } | null;
  /** of the last try, if that was later than the newest backup */
  failure: BackupFailure | null;
  /** the newest backup that was copied elsewhere; null: none */
  copied: { name: string; at: number } | null;
}

/**
 * Reads how the backups in `DATA_DIR/backups` stand; those that somebody keeps elsewhere are not counted.
 * @param now milliseconds since 1970
 */
export async function readBackupStatus(dataDir: string, now: number): Promise<BackupStatus> {
  const folder = join(dataDir, backupsFolder);
  const newest = await findNewestBackup(folder, now);
  const failure = await readIfWhole(join(folder, failureName), failureSchema);
  const copied = await readIfWhole(join(folder, copiedName), copiedSchema);
  const isOver = failure !== null && newest !== null && Date.parse(failure.at) < newest.at;
  return { newest, failure: isOver ? null : failure, copied: copied && findDate(copied.name) };
}

/** Keeps what came of a try, for the next start as well. */
export async function writeBackupFailure(dataDir: string, failure: BackupFailure | null): Promise<void> {
  const path = join(dataDir, backupsFolder, failureName);
  if (failure === null) await rm(path, { force: true });
  else await writeFileDurably(path, `${JSON.stringify(failure)}\n`, 0o600);
}

/** Keeps which backup was the last to be copied elsewhere. */
export async function writeCopied(dataDir: string, name: string): Promise<void> {
  await writeFileDurably(join(dataDir, backupsFolder, copiedName), `${JSON.stringify({ name })}\n`, 0o600);
}

/** A damaged file counts as none: the next try writes it anew. */
async function readIfWhole<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
  try {
    return schema.parse(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return null;
  }
}
