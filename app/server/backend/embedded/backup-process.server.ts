import { readdir } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { basename, dirname } from "node:path";
import { findUnencrypted } from "#supabase/embedded/folder/expired-backups";
import { makeBackup } from "#supabase/embedded/operations/backups/backup";
import { copyBackups } from "#supabase/embedded/s3/copy-backups";
import { describeError } from "../../observability/log.server";
import type { BackupJob, BackupOutcome } from "./run-backup.server";

// The file that a backup's process is started with: see `ownFiles` in vite.config.ts. A server that ends takes it along.
process.on("disconnect", () => process.exit(1));
process.once("message", (job: BackupJob) => void handleJob(job));

async function handleJob(job: BackupJob): Promise<void> {
  // Visitors come first: it takes what they leave of the processor. Where a start waits for it, so do they.
  if (!job.isAwaited) setPriority(constants.priority.PRIORITY_LOW);
  const outcome = await runJob(job);
  process.send?.(outcome, () => process.exit(0));
}

async function runJob({ dataDir, keepDays, keys, makes, copies }: BackupJob): Promise<BackupOutcome> {
  const outcome: BackupOutcome = { made: null, copied: null, failure: null, unencrypted: [] };
  // Copies end with their time only beside a new backup, which has asked the database whether the clock can be trusted.
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
