import { readBackupStatus } from "#supabase/embedded/folder/backup-status";
import type { Settings } from "../config/settings.server";

/** What may be wrong with backups. */
export type BackupTrouble = "none" | "failed" | "not-copied" | "late";

/** What decides whether there have to be any. */
export type BackupHealthSettings = Pick<Settings, "dataDir" | "backupEveryMs" | "backupCopies"> & {
  backend: { kind: string };
};

/** How the backups that a site makes by itself stand. */
export interface BackupHealth {
  /** the age of the newest good backup in seconds; null where there is none */
  ageSeconds: number | null;
  /** ISO 8601, UTC: when it was made */
  lastGoodAt: string | null;
  /**
   * `none`: as it should be. `failed`: the last try brought none. `not-copied`: it is not where BACKUP_TO says. `late`: the
   * newest is older than twice BACKUP_EVERY, so that nothing seems to try any more.
   */
  trouble: BackupTrouble;
  /** the age of the newest backup that was copied to BACKUP_TO; null where there is none, or nothing is copied */
  copyAgeSeconds: number | null;
}

/** Hours of grace for a machine that was off or busy. */
const graceMs = 60 * 60 * 1000;

/**
 * Reads how the backups stand, from the names of files and without the database: for the admin area, the figures and the
 * firm's digest.
 * @param now milliseconds since 1970
 * @returns null where the site makes none by itself: BACKUP_EVERY is off, or the database is a hosted project's
 */
export async function readBackupHealth(
  { backend, dataDir, backupEveryMs, backupCopies }: BackupHealthSettings,
  now: number = Date.now(),
): Promise<BackupHealth | null> {
  if (backend.kind !== "embedded" || backupEveryMs === null) return null;
  const { newest, failure, copied } = await readBackupStatus(dataDir, now);
  // Before the first one is made there is nothing to be late for: a site makes it a minute after its first start.
  const isLate = newest !== null && now - newest.at > 2 * backupEveryMs + graceMs;
  return {
    ageSeconds: newest && Math.round((now - newest.at) / 1000),
    lastGoodAt: newest && new Date(newest.at).toISOString(),
    trouble: failure ? (failure.what === "copy" ? "not-copied" : "failed") : isLate ? "late" : "none",
    copyAgeSeconds: backupCopies && copied && Math.round((now - copied.at) / 1000),
  };
}
