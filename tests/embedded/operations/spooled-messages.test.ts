import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeBackup } from "#supabase/embedded/operations/backup.ts";
import { moveToSupabase } from "#supabase/embedded/operations/move-to-supabase.ts";
import { restoreBackup } from "#supabase/embedded/operations/restore.ts";
import { verifyBackup } from "#supabase/embedded/operations/verify.ts";
import { makeEmptyFolder, makeFolder, startTestBackend } from "../start-backend.ts";

let folder: string;
beforeEach(async () => void (folder = await makeEmptyFolder()));
afterEach(() => rm(folder, { recursive: true, force: true }));

const sealed = randomBytes(900);

/** Leaves one message in a data folder as the web tier does, and one that is still being written. */
async function leaveMessages(dataDir: string): Promise<string> {
  const spool = join(dataDir, "contact-spool");
  await mkdir(spool, { mode: 0o700 });
  await writeFile(join(spool, "one.sealed"), sealed, { mode: 0o600 });
  await writeFile(join(spool, "two.sealed.unfinished"), "half", { mode: 0o600 });
  return join(spool, "one.sealed");
}

async function requireMessage(dataDir: string): Promise<void> {
  const spool = join(dataDir, "contact-spool");
  expect(await readdir(spool)).toEqual(["one.sealed"]);
  expect((await readFile(join(spool, "one.sealed"))).equals(sealed)).toBe(true);
  expect((await stat(join(spool, "one.sealed"))).mode & 0o777).toBe(0o600);
  expect((await stat(spool)).mode & 0o777).toBe(0o700);
}

it("are in a backup even if they are delivered just after the database was copied, where they then are not", async () => {
  const dataDir = await makeFolder();
  const message = await leaveMessages(dataDir);
  const events: string[] = [];
  const site = await startTestBackend({
    dataDir,
    log: ({ event }) => {
      events.push(event);
      if (event === "embedded.snapshot") rmSync(message);
    },
  });
  const { file } = await makeBackup(dataDir, join(folder, "backup.tar.gz"));
  expect(events).toContain("embedded.snapshot");
  await restoreBackup(file, join(folder, "restored"), { replace: false });
  await requireMessage(join(folder, "restored"));
  await site.remove();
});

it("are all there is to keep with a hosted project: backed up, verified and restored without a database", async () => {
  const dataDir = join(folder, "data");
  await mkdir(dataDir);
  await leaveMessages(dataDir);
  const backup = await makeBackup(dataDir, join(folder, "backup.tar.gz"));
  expect(backup.manifest).toMatchObject({ migrations: [], tables: [], files: [{ path: "contact-spool/one.sealed" }] });
  expect(await verifyBackup(backup.file)).toEqual(backup.manifest);
  await restoreBackup(backup.file, join(folder, "restored"), { replace: false });
  await requireMessage(join(folder, "restored"));
  expect((await readdir(dataDir)).filter((name) => !name.startsWith("lock."))).toEqual(["contact-spool"]);
});

it("make no database that could be moved", async () => {
  await leaveMessages(folder);
  const { file } = await makeBackup(folder, join(folder, "backup.tar.gz"));
  await expect(moveToSupabase(file, "postgresql://localhost/x")).rejects.toThrow(/There is no database in .*tar\.gz/);
});
