import { mkdir, mkdtemp, rm, rmdir, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { readBackupStatus, writeBackupFailure } from "#supabase/embedded/backups/backup-status";
import { markReady } from "#supabase/embedded/folder/marker";
import { readBackupHealth } from "./backup-health.server";

const hour = 60 * 60 * 1000;
const day = 24 * hour;
const daily = { backend: { kind: "embedded" }, backupEveryMs: day, backupCopies: null };

let dataDir: string;
let backups: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "backup-health-"));
  backups = join(dataDir, "backups");
});

const health = (now?: number) => readBackupHealth({ ...daily, dataDir }, now);

function nameOf(msAgo: number): string {
  return `backup-${new Date(Date.now() - msAgo).toISOString().replaceAll(/[:.]/g, "-")}.tar.gz`;
}

it("reports an old backup as late, and ignores disabled backups and other databases", async () => {
  await mkdir(backups);
  await writeFile(join(backups, nameOf(2 * day + 2 * hour)), "");
  expect(await health()).toMatchObject({
    troubles: ["backup-late"],
    lackedSeconds: null,
    ageSeconds: expect.closeTo(50 * 3600, -1),
  });
  // A backup with a date in the future, from a wrong clock, does not count as fresh.
  await writeFile(join(backups, nameOf(-400 * day)), "");
  expect(await health()).toMatchObject({ troubles: ["backup-late"] });
  const verified = { backup: new Date(Date.now() - 89 * day).toISOString() };
  await writeFile(join(backups, "last-verified.json"), JSON.stringify(verified));
  expect(await health()).toMatchObject({ troubles: ["backup-late"] });
  expect(await health(Date.now() + 2 * day)).toMatchObject({ troubles: ["backup-late", "backup-unverified"] });
  expect(await readBackupHealth({ ...daily, dataDir, backupEveryMs: null })).toBeNull();
  expect(await readBackupHealth({ ...daily, backend: { kind: "hosted" }, dataDir })).toBeNull();
});

it("reports a missing first backup once the site is older than BACKUP_EVERY", async () => {
  expect(await health(Date.now() + 900 * day)).toMatchObject({
    ageSeconds: null,
    lackedSeconds: null,
    troubles: [],
  });
  await markReady(dataDir);
  expect(await health(Date.now() + day)).toMatchObject({ troubles: [] });
  expect(await health(Date.now() + day + 2 * hour)).toMatchObject({
    lackedSeconds: 26 * 3600,
    troubles: ["backup-late"],
  });
});

it.each(["first", "second"])("reports a failure that had only the %s place", async (place) => {
  const failure = { at: new Date().toISOString(), code: "EACCES", what: "backup" } as const;
  // A folder in the way of the file.
  if (place !== "first") await mkdir(join(dataDir, "last-failure.json"));
  if (place === "second") await mkdir(backups);
  await writeBackupFailure(dataDir, failure);
  expect(await health()).toMatchObject({ troubles: ["backup-failed"] });
  if (place !== "first") await rmdir(join(dataDir, "last-failure.json"));
  await writeBackupFailure(dataDir, null);
  expect(await health()).toMatchObject({ troubles: [] });
});

it("reports a backups folder that cannot be used, without any attempt", async () => {
  await writeFile(backups, "");
  const { problem } = await readBackupStatus(dataDir, Date.now());
  expect(problem?.message).toMatch(
    /^The backups folder \/\S+\/backups is not a folder \(ENOTDIR\): a file has its name\./,
  );
  expect(await health()).toMatchObject({ troubles: ["backup-failed"], problem: problem?.message });
  await rm(backups);
  await symlink("/nowhere", backups);
  expect((await health())?.problem).toMatch(/backups is a link to nothing \(ENOENT\): mount its disk\.$/);
});
