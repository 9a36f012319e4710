import { readBackupStatus } from "#supabase/embedded/backups/backup-status";
import type { ReportedState } from "#supabase/functions/_shared/trouble";
import type { Settings } from "../config/settings.server";

/** Settings that decide whether backups are expected. */
export type BackupHealthSettings = Pick<Settings, "dataDir" | "backupEveryMs" | "backupCopies"> & {
  backend: { kind: string };
};

/** State of a site's automatic backups. */
export interface BackupHealth {
  /** age of the newest good backup in seconds; null if there is none */
  ageSeconds: number | null;
  /** creation time of that backup, ISO 8601 in UTC */
  lastGoodAt: string | null;
  /** time without any backup since the first ready start, in seconds; null if there is one, or this is unknown */
  lackedSeconds: number | null;
  /**
   * Causes of trouble, at most one of the first three. `backup-failed`: the last attempt produced no backup, or the next
   * one cannot. `copy-failed`: the newest backup is missing at BACKUP_TO. `backup-late`: the newest backup is older than
   * twice BACKUP_EVERY, or there is none although the site is older than BACKUP_EVERY, so the timer has probably stopped.
   * `copy-late`: the newest backup at BACKUP_TO is older than twice BACKUP_EVERY. `backup-unverified`: the newest backup
   * that the operator verified (`verify-backup`) is more than 90 days old; with BACKUP_TO, the newest copy. Counted from
   * the first backup.
   */
  troubles: readonly ReportedState[];
  /** why this user cannot keep backups in their folder, with the remedy: `problem: remedy.` */
  problem: string | null;
  /** when the operator last verified a backup, ISO 8601 in UTC; null if unknown */
  verifiedAt: string | null;
}

/** Grace period for a machine that was off or busy. */
const graceMs = 60 * 60 * 1000;

/** Longest time without a verified backup. */
const unverifiedMs = 90 * 24 * 60 * 60 * 1000;

/**
 * Reads the state of the backups from file names, without the database. The admin area, the metrics and the firm's
 * digest show it.
 * @param now milliseconds since 1970
 * @returns null if the site makes no backups: BACKUP_EVERY is off, or the database belongs to a hosted project
 */
export async function readBackupHealth(
  { backend, dataDir, backupEveryMs, backupCopies }: BackupHealthSettings,
  now: number = Date.now(),
): Promise<BackupHealth | null> {
  if (backend.kind !== "embedded" || backupEveryMs === null) return null;
  const status = await readBackupStatus(dataDir, now);
  const { newest, recorded, problem, startedAt, copied, verified } = status;
  const lateAfterMs = 2 * backupEveryMs + graceMs;
  // A site makes its first backup a minute after its first start.
  const lackedMs = newest === null && startedAt !== null ? now - startedAt : null;
  const isLate = newest === null ? (lackedMs ?? 0) > backupEveryMs + graceMs : now - newest.at > lateAfterMs;
  const failed = problem !== null || recorded?.what === "backup";
  const isCopyLate = backupCopies !== null && copied !== null && now - copied.at > lateAfterMs;
  const verifiedAt = backupCopies ? verified.copy : (verified.backup ?? verified.copy);
  const isUnverified = verifiedAt !== undefined && now - Date.parse(verifiedAt) > unverifiedMs;
  const troubles: ReportedState[] = [];
  if (failed) troubles.push("backup-failed");
  else if (recorded) troubles.push("copy-failed");
  else if (isLate) troubles.push("backup-late");
  if (isCopyLate && !troubles.includes("copy-failed")) troubles.push("copy-late");
  if (isUnverified) troubles.push("backup-unverified");
  return {
    ageSeconds: newest && Math.round((now - newest.at) / 1000),
    lastGoodAt: newest && new Date(newest.at).toISOString(),
    lackedSeconds: lackedMs === null ? null : Math.round(lackedMs / 1000),
    troubles,
    problem: problem && problem.message,
    verifiedAt: verified.at ?? null,
  };
}
