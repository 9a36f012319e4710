import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readBackupStatus } from "#supabase/embedded/backups/backup-status";
import { createLog } from "../../../observability/log.server";
import type { BackupJob } from "../run-backup.server";
import { createBackups } from "./backup-timer.server";

it("runs a backup at low priority unless a start waits, and records the first as verified", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "backup-timer-"));
  await mkdir(join(dataDir, "backups"));
  const jobs: BackupJob[] = [];
  const backups = createBackups(
    { dataDir, backupEveryMs: 1, backupKeepDays: 30, backupCopies: null, backupKeys: null },
    createLog({ write: () => {} }, { write: () => {} }),
    async (job) => {
      jobs.push(job);
      const made = { name: `backup-2026-01-0${jobs.length}T03-04-05-678Z.tar.gz`, bytes: 1, expired: 0 };
      return { made, copied: null, failure: null, unencrypted: [] };
    },
    new AbortController().signal,
  );
  await backups.makeBeforeMigrations();
  const timer = backups.startTimer({ firstBackup: 0, backupCheck: 60_000 });
  await expect.poll(() => jobs.map(({ isAwaited }) => isAwaited)).toEqual([true, false]);
  await timer.stop();
  expect((await readBackupStatus(dataDir, Date.now())).verified).toEqual({ backup: "2026-01-01T03:04:05.678Z" });
  await rm(dataDir, { recursive: true });
});
