import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { readBackupStatus } from "#supabase/embedded/backups/backup-status";
import { readErasureList, writeErasureList } from "#supabase/embedded/backups/erasure-list";
import { createLog } from "../../../observability/log.server";
import type { BackupJob } from "../run-backup.server";
import { createBackups } from "./backup-timer.server";

let dataDir: string;
let folder: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "backup-timer-"));
  folder = join(dataDir, "backups");
  await mkdir(folder);
});

const quiet = createLog({ write: () => {} }, { write: () => {} });

/** Creates backups whose job is imitated. */
function create(changes: Partial<Parameters<typeof createBackups>[0]>, run: Parameters<typeof createBackups>[2]) {
  const settings = { dataDir, backupEveryMs: null, backupKeepDays: 30, backupCopies: null, backupKeys: null };
  return createBackups({ ...settings, ...changes }, quiet, run, new AbortController().signal);
}

it("runs a backup at low priority unless a start waits, and records the first as verified", async () => {
  const jobs: BackupJob[] = [];
  const backups = create({ backupEveryMs: 1 }, async (job) => {
    jobs.push(job);
    const made = { name: `backup-2026-01-0${jobs.length}T03-04-05-678Z.tar.gz`, bytes: 1, expired: 0 };
    return { made, copied: null, failure: null, unencrypted: [] };
  });
  await backups.makeBeforeMigrations();
  const timer = backups.startTimer({ firstBackup: 0, backupCheck: 60_000 });
  await expect.poll(() => jobs.map(({ isAwaited }) => isAwaited)).toEqual([true, false]);
  await timer.stop();
  expect((await readBackupStatus(dataDir, Date.now())).verified).toEqual({ backup: "2026-01-01T03:04:05.678Z" });
});

it("copies once, and again once the list of erasures has changed", async () => {
  const at = new Date().toISOString();
  const newest = `backup-${at.replaceAll(/[:.]/g, "-")}.tar.gz`;
  await writeFile(join(folder, newest), "");
  const copiedLists: (string[] | undefined)[] = [];
  const bucket = { endpoint: "https://storage.example", region: "r", bucket: "b", prefix: "" };
  const backupCopies = { ...bucket, accessKeyId: "id", secretAccessKey: "secret" };
  const backups = create({ backupCopies }, async ({ makes, copies }) => {
    expect([makes, copies]).toEqual([false, backupCopies]);
    copiedLists.push((await readErasureList(folder))?.erasures.map(({ reference }) => reference));
    return { made: null, copied: { newest, expired: 0 }, failure: null, unencrypted: [] };
  });
  const timer = backups.startTimer({ firstBackup: 0, backupCheck: 1 });
  await expect.poll(() => copiedLists).toHaveLength(1);
  const erasure = { reference: "DR-7K2M-9QXW", erasedAt: at, salt: "0".repeat(32), digest: "0".repeat(64) };
  await writeErasureList(folder, { format: 1, completeUntil: at, erasures: [erasure] }, undefined);
  await expect.poll(() => copiedLists.at(-1)).toEqual([erasure.reference]);
  await timer.stop();
  expect(copiedLists).toEqual([undefined, [erasure.reference]]);
});
