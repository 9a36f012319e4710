import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { backupsFolder } from "../folder/data-folder.ts";
import { writeFileDurably } from "../folder/durable-files.ts";
import { findDate, findNewestBackup } from "./expired-backups.ts";
import { readMarker } from "../folder/marker.ts";
import { type DataFolderUnusable, findBackupsProblem } from "../folder/usable-folder.ts";

/**
 * File that records the last failure: in the data folder or, where that cannot be written, beside the backups. A
 * successful backup removes it.
 */
const failureName = "last-failure.json";

const failureSchema = z.object({
  /** ISO 8601, UTC */
  at: z.iso.datetime(),
  /** cause, e.g. `ENOSPC`, or the name of an error */
  code: z.string(),
  /** failed step: making a backup or copying it */
  what: z.enum(["backup", "copy"]),
});

/** File beside the backups that names the newest one copied off the server. */
const copiedName = "last-copy.json";

const copiedSchema = z.object({ name: z.string() });

/** File beside the backups with the size of the newest one that was made here. */
const madeName = "last-backup.json";

const madeSchema = z.object({ name: z.string(), bytes: z.number() });

/** File beside the backups with the times of the newest ones that the operator verified, or of the first ones. */
const verifiedName = "last-verified.json";

/** Times at which verified backups were made, here and at BACKUP_TO, and of the last verification. */
const verifiedSchema = z.object({
  backup: z.iso.datetime().optional(),
  copy: z.iso.datetime().optional(),
  /** when the operator last verified one */
  at: z.iso.datetime().optional(),
});

/** A backup that the server could not make or could not copy. */
export type BackupFailure = z.output<typeof failureSchema>;

/** State of the backups of a data folder. */
export interface BackupStatus {
  /** the newest one, which was verified before it got its name; `at` in milliseconds since 1970 */
  newest: { name: string; at: number } | null;
  /** size of that backup when it was made; null if it is not on record */
  madeBytes: number | null;
  /** the last failure, if it is later than the newest backup */
  recorded: BackupFailure | null;
  /** why the folder cannot be used now, with the remedy */
  problem: DataFolderUnusable | null;
  /** time of the first ready start in milliseconds since 1970; null if unknown */
  startedAt: number | null;
  /** the newest backup copied off the server; null when there is none */
  copied: { name: string; at: number } | null;
  /** when the newest verified backup was made, or the first one: here, and at BACKUP_TO; and verified; ISO 8601 */
  verified: z.output<typeof verifiedSchema>;
}

/**
 * Reads the state of the backups in `DATA_DIR/backups`. Backups stored elsewhere do not count.
 * @param now milliseconds since 1970
 * @param remembered the last failure that this process remembers, because it may have had no place to record it
 */
export async function readBackupStatus(
  dataDir: string,
  now: number,
  remembered: BackupFailure | null = null,
): Promise<BackupStatus> {
  const folder = join(dataDir, backupsFolder);
  const problem = await findBackupsProblem(dataDir);
  const newest = await findNewestBackup(folder, now).catch(() => null);
  const made = await readIfWhole(join(folder, madeName), madeSchema);
  const recorded = await Promise.all(failurePaths(dataDir).map((path) => readIfWhole(path, failureSchema)));
  const [last = null] = [...recorded, remembered]
    .filter((each) => each !== null && !(newest !== null && Date.parse(each.at) < newest.at))
    .toSorted((a, b) => Date.parse(b?.at ?? "") - Date.parse(a?.at ?? ""));
  const copied = await readIfWhole(join(folder, copiedName), copiedSchema);
  const verified = (await readIfWhole(join(folder, verifiedName), verifiedSchema)) ?? {};
  const startedAt = (await readMarker(dataDir))?.readyAt;
  return {
    newest,
    madeBytes: made !== null && made.name === newest?.name ? made.bytes : null,
    recorded: last,
    problem,
    startedAt: startedAt === undefined ? null : Date.parse(startedAt),
    copied: copied && findDate(copied.name),
    verified,
  };
}

/**
 * Records a failure for the next start and for commands; null removes the record.
 * @throws when neither folder can be written
 */
export async function writeBackupFailure(dataDir: string, failure: BackupFailure | null): Promise<void> {
  const [first, second] = failurePaths(dataDir);
  if (failure === null) {
    for (const path of [first, second]) await rm(path, { force: true });
    return;
  }
  const text = `${JSON.stringify(failure)}\n`;
  await writeFileDurably(first, text, 0o600).catch(() => writeFileDurably(second, text, 0o600));
}

function failurePaths(dataDir: string): [string, string] {
  return [join(dataDir, failureName), join(dataDir, backupsFolder, failureName)];
}

/** Records the size of a backup in `DATA_DIR/backups` that was just made and verified. */
export async function writeMade(dataDir: string, made: z.output<typeof madeSchema>): Promise<void> {
  await writeFileDurably(join(dataDir, backupsFolder, madeName), `${JSON.stringify(made)}\n`, 0o600);
}

/** Records the newest backup copied off the server. */
export async function writeCopied(dataDir: string, name: string): Promise<void> {
  await writeFileDurably(join(dataDir, backupsFolder, copiedName), `${JSON.stringify({ name })}\n`, 0o600);
}

/**
 * Records that a backup was verified. The newest one of each place stays on record.
 * @param madeAt when it was made, ISO 8601 in UTC
 * @param at when the operator verified it; null if this only begins to count the time without
 */
export async function writeVerified(
  dataDir: string,
  place: "backup" | "copy",
  madeAt: string,
  at: string | null,
): Promise<void> {
  const path = join(dataDir, backupsFolder, verifiedName);
  const verified = (await readIfWhole(path, verifiedSchema)) ?? {};
  const newest = (verified[place] ?? "") >= madeAt ? verified[place] : madeAt;
  const record = { ...verified, [place]: newest, ...(at === null ? {} : { at }) };
  await writeFileDurably(path, `${JSON.stringify(record)}\n`, 0o600);
}

/** Reads a file. Returns null when it is damaged, too: the next attempt rewrites it. */
async function readIfWhole<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
  try {
    return schema.parse(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return null;
  }
}
