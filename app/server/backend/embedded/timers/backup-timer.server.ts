import { join } from "node:path";
import {
  readBackupStatus,
  writeBackupFailure,
  writeCopied,
  writeVerified,
} from "#supabase/embedded/folder/backup-status";
import { backupsFolder } from "#supabase/embedded/folder/data-folder";
import { readErasureList } from "#supabase/embedded/folder/erasure-list";
import { findDate } from "#supabase/embedded/folder/expired-backups";
import { commandLine } from "~/lib/command-line";
import { type Repetition, repeat } from "~/lib/repeat";
import { type Log, describeError } from "../../../observability/log.server";
import type { BackupSettings, EmbeddedStart } from "../embedded-start.server";
import type { BackupJob, BackupOutcome, RunBackup } from "../run-backup.server";

/** Earliest retry after a failure. */
const retryAfterMs = 60 * 60 * 1000;

/** Makes backups of a data folder and logs each. */
export interface Backups {
  /** Makes a backup before new migrations; the timer copies it later. @throws BackupFailed with a remedy */
  makeBeforeMigrations(): Promise<void>;
  /**
   * Makes a backup when the newest is older than BACKUP_EVERY, and copies missing ones to BACKUP_TO. Stopping cancels a
   * running job.
   */
  startTimer(timeouts: EmbeddedStart["timeouts"]): Repetition;
}

/** Creates the backups of a data folder (decision 55). */
export function createBackups(
  { dataDir, ...settings }: BackupSettings & { dataDir: string },
  log: Log,
  run: RunBackup,
  signal: AbortSignal,
): Backups {
  const stopping = new AbortController();
  const { backupEveryMs, backupCopies, backupKeys: keys, backupKeepDays: keepDays } = settings;
  let copiedErasures: string | undefined;

  /** @returns null on success, otherwise the error's code */
  async function runJob(
    reason: "migrations" | "time",
    what: Pick<BackupJob, "makes" | "copies">,
  ): Promise<string | null> {
    const startedAt = performance.now();
    const job = { dataDir, keepDays, keys, isAwaited: reason === "migrations", ...what };
    const outcome = await run(job, AbortSignal.any([stopping.signal, signal]));
    logOutcome(log, outcome, { reason, ms: Math.round(performance.now() - startedAt), isEncrypted: keys !== null });
    if (outcome.copied?.newest) await writeCopied(dataDir, outcome.copied.newest);
    await beginVerification(dataDir, "backup", outcome.made?.name);
    await beginVerification(dataDir, "copy", outcome.copied?.newest);
    const { failure } = outcome;
    if (failure === null) {
      await writeBackupFailure(dataDir, null);
      return null;
    }
    const code = failure.code ?? failure.error ?? "unknown";
    const isCopy = outcome.made !== null || !what.makes;
    const status = { at: new Date().toISOString(), code, what: isCopy ? "copy" : "backup" } as const;
    await writeBackupFailure(dataDir, status).catch(() => undefined);
    const newest = (await readBackupStatus(dataDir, Date.now())).newest?.name ?? null;
    const remedy = isCopy ? "look up the storage's error `code`" : `run \`${commandLine("backup")}\` to see the cause`;
    log.error({ event: isCopy ? "backups.copy-failed" : "backups.failed", reason, newest, remedy, ...failure });
    return code;
  }

  async function runDueJob(): Promise<void> {
    try {
      const now = Date.now();
      const { newest, failure, copied } = await readBackupStatus(dataDir, now);
      // A wrong clock may have dated the failure in the future.
      if (failure !== null && Math.abs(now - Date.parse(failure.at)) < retryAfterMs) return;
      const makes = newest === null || now - newest.at >= (backupEveryMs ?? Infinity);
      // A restore elsewhere needs the newest list of erasures, so a changed list is copied too.
      const erasures = backupCopies && (await describeErasures(join(dataDir, backupsFolder)));
      const lacks = backupCopies !== null && (copied?.name !== newest?.name || erasures !== copiedErasures);
      if (!makes && !lacks) return;
      const failed = await runJob("time", { makes, copies: backupCopies });
      if (failed === null && erasures !== null) copiedErasures = erasures;
    } catch (error) {
      if (stopping.signal.aborted || signal.aborted) return;
      log.error({ event: "backups.failed", reason: "time", ...describeError(error) });
    }
  }

  return {
    async makeBeforeMigrations() {
      const code = await runJob("migrations", { makes: true, copies: null });
      if (code === null) return;
      throw new BackupFailed(code);
    },
    startTimer({ firstBackup, backupCheck }) {
      const repetition = repeat(runDueJob, { firstAfterMs: firstBackup, everyMs: backupCheck });
      return {
        stop: () => {
          stopping.abort();
          return repetition.stop();
        },
      };
    },
  };
}

/** Counts the time without a verified backup from the first one of its place. */
async function beginVerification(
  dataDir: string,
  place: "backup" | "copy",
  name: string | null | undefined,
): Promise<void> {
  const first = findDate(name ?? "");
  if (first === null) return;
  const { verified } = await readBackupStatus(dataDir, first.at);
  if (verified[place] !== undefined) return;
  await writeVerified(dataDir, place, new Date(first.at).toISOString()).catch(() => undefined);
}

function logOutcome(
  log: Log,
  { made, copied, unencrypted }: BackupOutcome,
  { reason, ms, isEncrypted }: { reason: string; ms: number; isEncrypted: boolean },
): void {
  if (made) log.info({ event: "backups.made", name: made.name, bytes: made.bytes, ms, reason, encrypted: isEncrypted });
  if (unencrypted.length > 0) {
    const remedy =
      "they are older than BACKUP_RECIPIENT, or someone else put them there: delete those that you do not need";
    log.warn({ event: "backups.unencrypted", names: unencrypted.join(), remedy });
  }
  if (copied) log.info({ event: "backups.copied", newest: copied.newest });
  const expired = (made?.expired ?? 0) + (copied?.expired ?? 0);
  if (expired > 0) log.info({ event: "backups.expired", count: expired });
}

async function describeErasures(folder: string): Promise<string> {
  const list = await readErasureList(folder).catch(() => null);
  return (list?.erasures ?? []).map(({ reference }) => reference).join();
}

/** No backup could be made before migrations; the log has the cause. */
class BackupFailed extends Error {
  override readonly name = "BackupFailed";

  constructor(code: string) {
    super(
      `The database needs new migrations, and no backup could be made before them (${code}); nothing was changed. Fix the cause, ` +
        "or start once with BACKUP_EVERY=off: then the migrations cannot be undone.",
    );
  }
}
