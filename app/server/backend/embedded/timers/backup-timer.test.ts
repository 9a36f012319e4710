import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createLog } from "../../../observability/log.server";
import type { BackupJob } from "../run-backup.server";
import { createBackups } from "./backup-timer.server";

it("gives a backup normal priority only while a start waits for it", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "backup-timer-"));
  const jobs: BackupJob[] = [];
  const backups = createBackups(
    { dataDir, backupEveryMs: 1, backupKeepDays: 30, backupCopies: null, backupKeys: null },
    createLog({ write: () => {} }, { write: () => {} }),
    async (job) => {
      jobs.push(job);
      return { made: null, copied: null, failure: null, unencrypted: [] };
    },
    new AbortController().signal,
  );
  await backups.makeBeforeMigrations();
  const timer = backups.startTimer({
    firstBackup: 0,
    backupCheck: 60_000,
    outboxPoll: 0,
    firstRetention: 0,
    diskCheck: 0,
  });
  await expect.poll(() => jobs.map(({ isAwaited }) => isAwaited)).toEqual([true, false]);
  await timer.stop();
  await rm(dataDir, { recursive: true });
});
