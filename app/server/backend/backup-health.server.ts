import { readBackupStatus } from "#supabase/embedded/folder/backup-status";
import type { Settings } from "../config/settings.server";

/** Problem with the backups of a site. */
export type BackupTrouble = "none" | "failed" | "not-copied" | "late";

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
  /**
   * `none`: no problem. `failed`: the last attempt produced no backup. `not-copied`: the newest backup is missing at
   * BACKUP_TO. `late`: the newest backup is older than twice BACKUP_EVERY, so the timer has probably stopped.
   */
  trouble: BackupTrouble;
  /** true if the newest backup at BACKUP_TO is older than twice BACKUP_EVERY */
  isCopyLate: boolean;
  /**
   * true if the newest backup that the operator verified (`verify-backup`) is more than 90 days old; with BACKUP_TO, the
   * newest copy. Counted from the first backup.
   */
  isUnverified: boolean;
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
  const { newest, failure, copied, verified } = await readBackupStatus(dataDir, now);
  const lateAfterMs = 2 * backupEveryMs + graceMs;
  // Without any backup, none is late: a site makes its first one a minute after its first start.
  const isLate = newest !== null && now - newest.at > lateAfterMs;
  const verifiedAt = backupCopies ? verified.copy : (verified.backup ?? verified.copy);
  return {
    ageSeconds: newest && Math.round((now - newest.at) / 1000),
    lastGoodAt: newest && new Date(newest.at).toISOString(),
    trouble: failure ? (failure.what === "copy" ? "not-copied" : "failed") : isLate ? "late" : "none",
    isCopyLate: backupCopies !== null && copied !== null && now - copied.at > lateAfterMs,
    isUnverified: verifiedAt !== undefined && now - Date.parse(verifiedAt) > unverifiedMs,
  };
}
