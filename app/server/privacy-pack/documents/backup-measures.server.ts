import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { backupsFolder } from "#supabase/embedded/folder/data-folder";
import type { Settings } from "~/server/config/settings.server";
import { firmMustAnswer } from "./firm-must-answer.server";
import { type Measure, yesIf } from "../measure.server";

/** What holds of the backups of an embedded database. */
export async function describeBackups(settings: Settings): Promise<Measure[]> {
  const { backupEveryMs, backupKeys, backupCopies, backupKeepDays, dataDir } = settings;
  const names = await readdir(join(dataDir, backupsFolder)).catch(() => []);
  const backups = names.filter((name) => /^backup-.*\.tar\.gz(?:\.age)?$/.test(name)).toSorted();
  const newest = backups.at(-1)?.slice("backup-".length, "backup-2026-01-01".length);
  const found = newest ? `${backups.length}, the newest of ${newest}` : "none";
  const every = backupEveryMs === null ? "off" : `${backupEveryMs / 3_600_000} hours`;
  return [
    {
      measure: "There are backups, and they end.",
      holds: yesIf(backups.length > 0),
      evidence: `Read from the data folder: ${found}. BACKUP_EVERY is ${every}, BACKUP_KEEP_DAYS is ${backupKeepDays}. Tests: tests/routes/backend/server-backups.test.ts`,
    },
    {
      measure: "Backups are encrypted, and the machine has no key that opens them.",
      holds: yesIf(backupKeys !== null),
      evidence: `BACKUP_RECIPIENT is ${backupKeys?.recipient ?? "not set"}. Tests: tests/operations/backups-elsewhere.test.ts`,
    },
    {
      measure: "Backups are signed: a restore refuses what this site did not make.",
      holds: yesIf(backupKeys !== null),
      evidence: `BACKUP_SIGNING_KEY is ${backupKeys === null ? "not set" : "set"}. Tests: tests/operations/planted-backups.test.ts`,
    },
    {
      measure: "Backups are also kept on another machine.",
      holds: backupCopies ? "yes" : firmMustAnswer,
      evidence: backupCopies ? `BACKUP_TO: ${new URL(backupCopies.endpoint).hostname}` : "BACKUP_TO is not set",
    },
  ];
}
