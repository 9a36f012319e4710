import { rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { backupsFolder } from "../folder/data-folder.ts";
import { readJsonFile, writeFileDurably } from "../folder/durable-files.ts";
import { findDate, findNewestBackup } from "./expired-backups.ts";
import { readMarker } from "../folder/marker.ts";
import { type DataFolderUnusable, findBackupsProblem } from "../folder/usable-folder.ts";

/** Records beside the backups, by file name. */
const records = {
  /**
   * The last failure: in the data folder or, where that cannot be written, beside the backups. A successful backup
   * removes it.
   */
  "last-failure.json": z.object({
    /** ISO 8601, UTC */
    at: z.iso.datetime(),
    /** cause, e.g. `ENOSPC`, or the name of an error */
    code: z.string(),
    /** failed step: making a backup or copying it */
    what: z.enum(["backup", "copy"]),
  }),
  /** the newest backup copied off the server */
  "last-copy.json": z.object({ name: z.string() }),
  /** the newest backup that was made here, with its size */
  "last-backup.json": z.object({ name: z.string(), bytes: z.number() }),
  /** times at which the newest verified backups were made, or the first ones, here and at BACKUP_TO */
  "last-verified.json": z.object({
    backup: z.iso.datetime().optional(),
    copy: z.iso.datetime().optional(),
    /** when the operator last verified one */
    at: z.iso.datetime().optional(),
  }),
  /** the backups made before upgrades, newest last, each with the version of its newest migration */
  "upgrades.json": z.array(z.object({ backup: z.string(), newest: z.string() })),
};

type RecordName = keyof typeof records;
type RecordOf<Name extends RecordName> = z.output<(typeof records)[Name]>;

/** Reads a record in a folder. Returns null when it is damaged, too: the next one replaces it. */
export async function readRecord<Name extends RecordName>(folder: string, name: Name): Promise<RecordOf<Name> | null> {
  const schema: z.ZodType = records[name];
  return (await readJsonFile(join(folder, name), schema).catch(() => null)) as RecordOf<Name> | null;
}

/** Writes a record into a folder, durably. */
export async function writeRecord<Name extends RecordName>(
  folder: string,
  name: Name,
  content: RecordOf<Name>,
): Promise<void> {
  await writeFileDurably(join(folder, name), `${JSON.stringify(content)}\n`, 0o600);
}

/** A backup that the server could not make or could not copy. */
export type BackupFailure = RecordOf<"last-failure.json">;

/** State of the backups of a data folder. */
interface BackupStatus {
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
  verified: RecordOf<"last-verified.json">;
}

/**
 * Reads the state of the backups in `DATA_DIR/backups`. Backups stored elsewhere do not count.
 * @param now milliseconds since 1970
 */
export async function readBackupStatus(dataDir: string, now: number): Promise<BackupStatus> {
  const folder = join(dataDir, backupsFolder);
  const problem = await findBackupsProblem(dataDir);
  const newest = await findNewestBackup(folder, now).catch(() => null);
  const made = await readRecord(folder, "last-backup.json");
  const recorded = await Promise.all([dataDir, folder].map((place) => readRecord(place, "last-failure.json")));
  const [last = null] = recorded
    .filter((each) => each !== null && !(newest !== null && Date.parse(each.at) < newest.at))
    .toSorted((a, b) => Date.parse(b?.at ?? "") - Date.parse(a?.at ?? ""));
  const copied = await readRecord(folder, "last-copy.json");
  const verified = (await readRecord(folder, "last-verified.json")) ?? {};
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
  const places = [dataDir, join(dataDir, backupsFolder)] as const;
  if (failure === null) for (const place of places) await rm(join(place, "last-failure.json"), { force: true });
  else
    await writeRecord(places[0], "last-failure.json", failure).catch(() =>
      writeRecord(places[1], "last-failure.json", failure),
    );
}

/**
 * Records that a backup was verified. The newest one of each place stays on record.
 * @param madeAt when it was made, ISO 8601 in UTC
 * @param at when the operator verified it; null if this only begins to count the time without, from the first backup
 */
export async function writeVerified(
  dataDir: string,
  place: "backup" | "copy",
  madeAt: string,
  at: string | null,
): Promise<void> {
  const folder = join(dataDir, backupsFolder);
  const verified = (await readRecord(folder, "last-verified.json")) ?? {};
  const known = verified[place] ?? "";
  if (at === null && known !== "") return;
  const record = { ...verified, [place]: known > madeAt ? known : madeAt, ...(at === null ? {} : { at }) };
  await writeRecord(folder, "last-verified.json", record);
}
