import { join } from "node:path";
import {
  type BackupFailure,
  readBackupStatus,
  writeBackupFailure,
  writeRecord,
  writeVerified,
} from "#supabase/embedded/backups/backup-status";
import { backupsFolder } from "#supabase/embedded/folder/data-folder";
import { readErasureList } from "#supabase/embedded/backups/erasure-list";
import { findDate } from "#supabase/embedded/backups/expired-backups";
import { commandLine } from "~/lib/command-line";
import { type Repetition, repeat } from "~/lib/repeat";
import { type Log, describeError } from "../../../observability/log.server";
import type { Timeouts } from "../../../config/timeouts.server";
import type { BackupSettings } from "../embedded-start.server";
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
  startTimer(timeouts: Pick<Timeouts, "firstBackup" | "backupCheck">): Repetition;
}

/**
 * Creates the backups of a data folder (decision 55).
 */
export function createBackups(
  { dataDir, ...settings }: BackupSettings & { dataDir: string },
  log: Log,
  run: RunBackup,
  signal: AbortSignal,
): Backups {
  const stopping = new AbortController();
  const { backupEveryMs, backupCopies, backupKeys: keys, backupKeepDays: keepDays } = settings;
  let copiedErasures: string | undefined;
  /** The folder could not be used at the last check. Once it can, the next backup does not wait. */
  let isUnusable = false;

  async function note(failure: BackupFailure | null): Promise<void> {
    await writeBackupFailure(dataDir, failure).catch(() => undefined);
  }

  /** Counts the time without a verified backup from the first one of its place. */
  async function beginVerification(place: "backup" | "copy", name: string | null | undefined): Promise<void> {
    const made = findDate(name ?? "");
    if (made !== null)
      await writeVerified(dataDir, place, new Date(made.at).toISOString(), null).catch(() => undefined);
  }

  /** @returns null on success, otherwise the error's code */
  async function runJob(
    reason: "migrations" | "time",
    what: Pick<BackupJob, "makes" | "copies">,
  ): Promise<string | null> {
    const startedAt = performance.now();
    const job = { dataDir, keepDays, keys, isAwaited: reason === "migrations", ...what };
    const outcome = await run(job, AbortSignal.any([stopping.signal, signal]));
    logOutcome(log, outcome, { reason, ms: Math.round(performance.now() - startedAt), isEncrypted: keys !== null });
    const copied = outcome.copied?.newest;
    if (copied) await writeRecord(join(dataDir, backupsFolder), "last-copy.json", { name: copied });
    await beginVerification("backup", outcome.made?.name);
    await beginVerification("copy", copied);
    const { failure } = outcome;
    if (failure === null) {
      await note(null);
      return null;
    }
    const code = failure.code ?? failure.error ?? "unknown";
    const isCopy = outcome.made !== null || !what.makes;
    await note({ at: new Date().toISOString(), code, what: isCopy ? "copy" : "backup" });
    const newest = (await readBackupStatus(dataDir, Date.now())).newest?.name ?? null;
    const remedy = isCopy ? "look up the storage's error `code`" : `run \`${commandLine("backup")}\` to see the cause`;
    log.error({ event: isCopy ? "backups.copy-failed" : "backups.failed", reason, newest, remedy, ...failure });
    return code;
  }

  async function runDueJob(): Promise<void> {
    try {
      const now = Date.now();
      const { newest, recorded, problem, copied } = await readBackupStatus(dataDir, now);
      // A wrong clock may have dated the failure in the future.
      const isRecent = recorded !== null && Math.abs(now - Date.parse(recorded.at)) < retryAfterMs;
      if (isRecent && (problem !== null || !isUnusable)) return;
      isUnusable = problem !== null;
      if (problem !== null) {
        await note({ at: new Date(now).toISOString(), code: problem.code ?? "unknown", what: "backup" });
        return log.error({ event: "backups.failed", reason: "time", code: problem.code, remedy: problem.message });
      }
      const makes = newest === null || now - newest.at >= (backupEveryMs ?? Infinity);
      // A restore elsewhere needs the newest list of erasures, so a changed list is copied too.
      const erasures = backupCopies && (await describeErasures(join(dataDir, backupsFolder)));
      const lacks = backupCopies !== null && (copied?.name !== newest?.name || erasures !== copiedErasures);
      if (!makes && !lacks) return;
      const failed = await runJob("time", { makes, copies: backupCopies });
      if (failed === null && erasures !== null) copiedErasures = erasures;
    } catch (error) {
      if (stopping.signal.aborted || signal.aborted) return;
      const { code = "unknown" } = describeError(error);
      await note({ at: new Date().toISOString(), code, what: "backup" });
      log.error({ event: "backups.failed", reason: "time", ...describeError(error) });
    }
  }

  return {
    async makeBeforeMigrations() {
      const { problem } = await readBackupStatus(dataDir, Date.now());
      if (problem !== null) throw new BackupFailed("", problem.message);
      const code = await runJob("migrations", { makes: true, copies: null });
      if (code !== null) throw new BackupFailed(` (${code})`, "Fix the cause.");
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

  constructor(code: string, remedy: string) {
    super(
      `The database needs new migrations, and no backup could be made before them${code}; nothing was changed. ${remedy} ` +
        "Or start once with BACKUP_EVERY=off: then the migrations cannot be undone.",
    );
  }
}
