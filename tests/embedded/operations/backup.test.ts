import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { packFolder } from "#supabase/embedded/backups/archive.ts";
import { type Backup, makeBackup } from "#supabase/embedded/backups/backup.ts";
import { OperationRefused } from "#supabase/embedded/operations/operation-refused.ts";
import { restoreBackup } from "#supabase/embedded/backups/restore.ts";
import { makeEmptyFolder, startTestBackend, type TestBackend } from "../support/start-backend.ts";
import { sendMessage, startSite, storedMessages } from "./site.ts";

let site: TestBackend;
let folder: string;
let backup: Backup;

beforeAll(async () => {
  site = await startSite();
  folder = await makeEmptyFolder();
  await sendMessage(site);
  backup = await makeBackup(site.dataDir, join(folder, "backup.tar.gz"));
});
afterAll(async () => {
  await site.remove();
  await rm(folder, { recursive: true, force: true });
});

/** Counts the messages in a backup, which was compared with its manifest when it was made. */
const countMessages = ({ manifest }: Backup) =>
  manifest.tables.find(({ name }) => name === "public.contact_submissions")?.rows ?? 0;

it("is one file for its owner only, and leaves no other files", async () => {
  expect((await stat(backup.file)).mode & 0o777).toBe(0o600);
  expect((await readdir(folder)).toSorted()).toEqual(["backup.tar.gz", "erasures.json"]);
  // The server removes the snapshot when it notices that the command has disconnected.
  await expect
    .poll(async () => (await readdir(site.dataDir)).filter((name) => name.startsWith("snapshot")))
    .toEqual([]);
  expect((await stat(join(site.dataDir, "control"))).mode & 0o777).toBe(0o600);
});

it("restores a site with every message, its keys, secrets and mails", async () => {
  const dataDir = join(folder, "restored");
  expect(await restoreBackup(backup.file, dataDir, { replace: false })).toMatchObject({ replaced: null });
  for (const name of ["secrets.json", "session-secret", "mail/one.eml"]) {
    expect(await readFile(join(dataDir, name), "utf8"), name).toBe(await readFile(join(site.dataDir, name), "utf8"));
  }
  expect((await stat(join(dataDir, "secrets.json"))).mode & 0o777).toBe(0o600);
  expect((await stat(join(dataDir, "pg"))).mode & 0o777).toBe(0o700);
  expect(await readdir(join(dataDir, "mail"))).toEqual(["one.eml"]);
  const restored = await startTestBackend({ dataDir, migrations: {} });
  expect(await storedMessages(restored)).toEqual(await storedMessages(site));
  expect(await restored.sql("select count(*)::int as n from private.email_outbox")).toEqual([{ n: 1 }]);
  expect(restored.secretKey).toBe(site.secretKey);
  await sendMessage(restored);
  await restored.close();
});

it("does not overwrite another file", async () => {
  const bytes = await readFile(backup.file);
  await expect(makeBackup(site.dataDir, backup.file)).rejects.toThrow(/already exists/);
  // Nor a file created while the backup was being made.
  const packed = packFolder(join(site.dataDir, "mail"), backup.file, [], async () => undefined);
  await expect(packed).rejects.toThrow(/already exists/);
  expect(bytes.equals(await readFile(backup.file))).toBe(true);
});

it("has every message acknowledged before, without stopping the stream of messages, and leaves earlier backups out", async () => {
  let acknowledged = (await storedMessages(site)).size;
  const over = new AbortController();
  const stream = async () => {
    for (; !over.signal.aborted; acknowledged += 1) {
      await sendMessage(site);
      // Messages do not arrive without pause: yield to this process's other work.
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const streaming = stream();
  for (const known of [2, 5]) {
    await expect.poll(() => acknowledged).toBeGreaterThan(known);
    const before = acknowledged;
    const made = await makeBackup(site.dataDir);
    expect(made.file.startsWith(join(site.dataDir, "backups", "backup-2"))).toBe(true);
    expect(acknowledged).toBeGreaterThan(before);
    expect(countMessages(made)).toBeGreaterThanOrEqual(before);
    expect(made.manifest.files.filter(({ path }) => path.startsWith("backups"))).toEqual([]);
  }
  over.abort();
  await streaming;
});

it("is refused for a folder without a database", async () => {
  const empty = await makeEmptyFolder();
  await expect(makeBackup(empty)).rejects.toBeInstanceOf(OperationRefused);
  expect(await readdir(empty)).toEqual([]);
  await rm(empty, { recursive: true });
});
