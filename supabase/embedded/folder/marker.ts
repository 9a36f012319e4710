import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { commandLine, quotePath } from "../../../app/lib/command-line.ts";
import { siteVersion } from "../../../app/lib/site-version.ts";
import { backupsFolder, markerName } from "./data-folder.ts";
import { readJsonFile, writeFileDurably } from "./durable-files.ts";
import { listBackups } from "../backups/expired-backups.ts";
import { DataFolderUnusable } from "./usable-folder.ts";

const markerSchema = z.object({
  /** time of the first ready start, ISO 8601 in UTC */
  readyAt: z.iso.datetime(),
  /** version of the program that was ready last */
  version: z.string(),
});

/** Reads the mark of the first ready start. Returns null when there is none, or when it is damaged. */
export async function readMarker(dataDir: string): Promise<z.output<typeof markerSchema> | null> {
  return readJsonFile(join(dataDir, markerName), markerSchema).catch(() => null);
}

/** Marks a data folder as that of a site that is ready, durably. It keeps the time of the first such start. */
export async function markReady(dataDir: string): Promise<void> {
  const marker = await readMarker(dataDir);
  if (marker?.version === siteVersion) return;
  const { readyAt = new Date().toISOString() } = marker ?? {};
  const text = `${JSON.stringify({ readyAt, version: siteVersion })}\n`;
  await writeFileDurably(join(dataDir, markerName), text, 0o600);
}

/**
 * Tells a lost database from a first start, which may have been cut off after it made the keys.
 * @throws DataFolderUnusable when a site was ready here, or has backups here, and its database is missing
 */
export async function requireNoLoss(dataDir: string): Promise<void> {
  const folder = resolve(dataDir);
  // Files that this user cannot read are there, and a later check names their owner.
  if (!isMissing(join(folder, "pg/PG_VERSION"))) return;
  const isMarked = existsSync(join(folder, markerName));
  // A foreign or read-only folder of backups proves nothing, and is reported as trouble.
  const backups = await listBackups(join(folder, backupsFolder)).catch(() => []);
  if (!isMarked && backups.length === 0) return;
  const removals = [
    ...(isMarked ? [`remove ${join(folder, markerName)}`] : []),
    ...(backups.length === 0 ? [] : [`move ${join(folder, backupsFolder)} away`]),
  ];
  throw new DataFolderUnusable(
    `The database ${join(folder, "pg")} is missing although a site ran here, so that data was lost or a disk is not mounted: ` +
      `${await adviseRestore(folder)} To start empty on purpose, ${removals.join(" and ")}.`,
  );
}

function isMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

/** Names the newest backup in a data folder, and the command that restores it. */
async function adviseRestore(dataDir: string): Promise<string> {
  const folder = resolve(dataDir, backupsFolder);
  const backups = await listBackups(folder).catch(() => []);
  const newest = backups.findLast(({ at }) => at <= Date.now()) ?? backups.at(-1);
  return newest === undefined
    ? `no backup is in ${folder}. Restore one from elsewhere with \`${commandLine("restore <file or s3://…> --replace")}\`.`
    : `restore the newest backup with \`${commandLine(`restore ${quotePath(join(folder, newest.name))} --replace`)}\`.`;
}

/**
 * Explains why a database did not open, or failed while it was opened.
 * @param files its folder
 * @param error from PGlite
 * @returns the error to throw: the given one if it is this program's own, otherwise one for the operator
 */
export async function explainOpenFailure(files: string, error: unknown): Promise<unknown> {
  if (!isFromDatabase(error)) return error;
  // 53100: disk_full (PostgreSQL, Appendix A).
  if (error.code === "53100" || error.code === "ENOSPC")
    return new DataFolderUnusable(`${files} cannot be opened because its disk is full: free some space.`, "ENOSPC");
  const reason = /^[^\n.(]{1,120}/.exec(error.message)?.[0].trim() ?? error.name;
  return new DataFolderUnusable(
    `${files} cannot be opened because it is damaged (${reason}): ${await adviseRestore(join(files, ".."))}`,
  );
}

/** Errors of WebAssembly and of Emscripten's file system. */
const libraryErrors = ["RuntimeError", "ErrnoError", "ExitStatus"];

/** Returns true for errors of PGlite. A wrong statement (class 42) is a defect of this program. */
function isFromDatabase(error: unknown): error is Error & { code?: string } {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  const isSqlError = typeof code === "string" && (error.name === "SqlError" || "severity" in error);
  if (isSqlError) return !code.startsWith("42");
  return code === "ENOSPC" || libraryErrors.includes(error.name) || error.message.startsWith("PGlite failed");
}
