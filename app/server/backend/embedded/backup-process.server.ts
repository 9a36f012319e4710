import { readdir } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { basename, dirname } from "node:path";
import { findUnencrypted } from "#supabase/embedded/backups/expired-backups";
import { makeBackup } from "#supabase/embedded/backups/backup";
import { copyBackups } from "#supabase/embedded/backups/copy-backups";
import { describeError } from "../../observability/log.server";
import type { BackupJob, BackupOutcome } from "./run-backup.server";

// Entry file of a backup process: see `ownFiles` in vite.config.ts. It exits when the server does.
process.on("disconnect", () => process.exit(1));
process.once("message", (job: BackupJob) => void handleJob(job));

async function handleJob(job: BackupJob): Promise<void> {
  // Visitors come first, so a backup runs at low priority, unless a start waits for it.
  if (!job.isAwaited) setPriority(constants.priority.PRIORITY_LOW);
  const outcome = await runJob(job);
  process.send?.(outcome, () => process.exit(0));
}

async function runJob({ dataDir, keepDays, keys, makes, copies }: BackupJob): Promise<BackupOutcome> {
  const outcome: BackupOutcome = { made: null, copied: null, failure: null, unencrypted: [] };
  // Copies expire only together with a new backup, which has checked the clock against the database.
  let keepCopiesDays = Infinity;
  try {
    if (makes) {
      const { file, bytes, expired, isClockDoubted } = await makeBackup(dataDir, undefined, { keepDays, keys });
      if (!isClockDoubted) keepCopiesDays = keepDays;
      outcome.made = { name: basename(file), bytes, expired: expired.length };
      outcome.unencrypted.push(...findUnencrypted(await readdir(dirname(file))));
    }
    if (copies !== null && keys !== null) {
      const { newest, deleted, unencrypted } = await copyBackups(dataDir, copies, { keys, keepDays: keepCopiesDays });
      outcome.unencrypted.push(...unencrypted.map((name) => `BACKUP_TO: ${name}`));
      outcome.copied = { newest, expired: deleted.length };
    }
  } catch (error) {
    outcome.failure = describeError(error);
  }
  return outcome;
}
