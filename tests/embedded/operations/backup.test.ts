import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packFolder } from "#supabase/embedded/backups/archive.ts";
import { type Backup, makeBackup } from "#supabase/embedded/backups/backup.ts";
import { OperationRefused } from "#supabase/embedded/operations/operation-refused.ts";
import { restoreBackup } from "#supabase/embedded/backups/restore.ts";
import { type BackendProcess, type BackendProgram, buildBackendProgram } from "../child/spawn-backend.ts";
import { makeEmptyFolder, makeFolder, startTestBackend, type TestBackend } from "../support/start-backend.ts";
import { sendMessage, startSite, storedMessages } from "./site.ts";

describe("a backup of a site", () => {
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
});

it("rejects a backup of a folder without a database", async () => {
  const folder = await makeEmptyFolder();
  await expect(makeBackup(folder)).rejects.toBeInstanceOf(OperationRefused);
  expect(await readdir(folder)).toEqual([]);
  await rm(folder, { recursive: true });
});

describe("a backup during a stream of inserts in another process", () => {
  let program: BackendProgram;
  let server: BackendProcess;
  let dataDir: string;
  beforeAll(async () => {
    program = await buildBackendProgram();
    dataDir = await makeFolder();
  });
  afterAll(async () => {
    await program.remove();
    await rm(dataDir, { recursive: true, force: true });
  });

  const countAcknowledged = () => server.lines.filter((line) => line.startsWith("stored ")).length;

  it("has every row acknowledged before, and does not stop the stream", async () => {
    server = program.start(dataDir);
    await server.line("started");
    server.send("insert for ever");
    await server.line("stored 20");
    const before = countAcknowledged();
    const backup = await makeBackup(dataDir);
    expect(backup.file.startsWith(join(dataDir, "backups", "backup-2"))).toBe(true);
    const during = countAcknowledged();
    await server.line(`stored ${during + 5}`);
    expect(server.lines.filter((line) => line.startsWith("failed"))).toEqual([]);
    // The server inserts one row at a time, so the count tells which are there.
    expect(countRows(backup)).toBeGreaterThanOrEqual(before);
    expect(during).toBeGreaterThan(before);
  });

  it("has all rows after the server is killed, and leaves earlier backups out", async () => {
    await server.kill();
    const backup = await makeBackup(dataDir);
    expect(countRows(backup)).toBeGreaterThanOrEqual(countAcknowledged());
    expect(backup.manifest.files.filter(({ path }) => path.startsWith("backups"))).toEqual([]);
  });
});

/** Counts the rows in a backup, which was compared with its manifest when it was made. */
function countRows({ manifest }: Backup): number {
  return manifest.tables.find(({ name }) => name.endsWith("rows"))?.rows ?? 0;
}
