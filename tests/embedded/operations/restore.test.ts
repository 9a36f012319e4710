import { copyFile, mkdir, open, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBackupStatus } from "#supabase/embedded/backups/backup-status.ts";
import { nameBackup } from "#supabase/embedded/backups/expired-backups.ts";
import { finishRestore } from "#supabase/embedded/backups/finish-restore.ts";
import { DataFolderInUse, lockFolder } from "#supabase/embedded/folder/lock.ts";
import { makeBackup } from "#supabase/embedded/backups/backup.ts";
import { restoreBackup } from "#supabase/embedded/backups/restore.ts";
import { verify } from "#supabase/embedded/backups/restore-commands.ts";
import { verifyBackup } from "#supabase/embedded/backups/verify.ts";
import { clientOf } from "../support/client.ts";
import { withDatabaseOf } from "../../support/find-text.ts";
import { makeSiteFolder } from "../../support/site-folder.ts";
import { makeEmptyFolder } from "../support/start-backend.ts";
import { testAdmin } from "../../support/test-admin.ts";
import { sendMessage, startSite } from "./site.ts";

let folder: string;
let file: string;
let messages: string[];

beforeAll(async () => {
  folder = await makeEmptyFolder();
  const site = await startSite();
  const { auth } = clientOf(site, site.publishableKey);
  await auth.signInWithPassword(testAdmin);
  messages = [await sendMessage(site), await sendMessage(site)].toSorted();
  ({ file } = await makeBackup(site.dataDir, join(folder, "backup.tar.gz")));
  await site.remove();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Copies the backup and damages the copy. */
async function damage(spoil: (copy: string, size: number) => Promise<void>): Promise<string> {
  const copy = join(folder, "damaged.tar.gz");
  await copyFile(file, copy);
  await spoil(copy, (await stat(copy)).size);
  return copy;
}

async function flipByte(path: string, position: number): Promise<void> {
  const archive = await open(path, "r+");
  const byte = Buffer.alloc(1);
  await archive.read(byte, 0, 1, position);
  await archive.write(Buffer.from([byte.readUInt8() ^ 0x10]), 0, 1, position);
  await archive.close();
}

describe("a damaged backup", () => {
  it.each([
    ["with one bit flipped early", (copy: string) => flipByte(copy, 500)],
    ["with one bit flipped in the middle", (copy: string, size: number) => flipByte(copy, Math.floor(size / 2))],
    ["with one bit flipped in its last checksum", (copy: string, size: number) => flipByte(copy, size - 6)],
    ["truncated in the middle", (copy: string, size: number) => truncate(copy, Math.floor(size / 2))],
    ["truncated by a byte", (copy: string, size: number) => truncate(copy, size - 1)],
    ["that is empty", (copy: string) => truncate(copy, 0)],
    ["that is something else", (copy: string) => writeFile(copy, "not an archive")],
  ])("%s is rejected by verify and restore, and leaves the folder empty", async (_, spoil) => {
    const copy = await damage(spoil);
    await expect(verifyBackup(copy)).rejects.toMatchObject({ name: "OperationRefused" });
    const target = join(folder, "target");
    await expect(restoreBackup(copy, target, { replace: false })).rejects.toMatchObject({ name: "OperationRefused" });
    expect((await readdir(target)).filter((name) => !name.startsWith("lock."))).toEqual([]);
    await rm(target, { recursive: true });
  });

  it("that does not exist is named in the error", async () => {
    await expect(verifyBackup(join(folder, "none.tar.gz"))).rejects.toThrow(/none\.tar\.gz does not exist/);
  });
});

describe("a backup that starts", () => {
  it("is counted by verify-backup --start, and its folder changes nothing", async () => {
    const dataDir = await makeEmptyFolder();
    await mkdir(join(dataDir, "backups"));
    const madeAt = (await verifyBackup(file)).madeAt;
    await copyFile(file, join(dataDir, "backups", nameBackup(madeAt, false)));
    const said = await verify(["--start"], { DATA_DIR: dataDir });
    expect(said).toMatch(/is intact: .*\. It starts, 2 messages, newest (?:today|\d{4}-\d\d-\d\d) \d\d:\d\d UTC\.$/m);
    const { verified } = await readBackupStatus(dataDir, Date.now());
    expect(verified).toEqual({ backup: madeAt, at: expect.stringMatching(/Z$/) });
    await rm(dataDir, { recursive: true });
  });
});

describe("restoring into a folder", () => {
  it("fails while a server holds it", async () => {
    const held = await makeEmptyFolder();
    const lock = await lockFolder(held);
    await expect(restoreBackup(file, held, { replace: true })).rejects.toBeInstanceOf(DataFolderInUse);
    await lock.release();
    await rm(held, { recursive: true });
  });

  it("fails if it holds a single file", async () => {
    const used = await makeEmptyFolder();
    await writeFile(join(used, "facts.yaml"), "");
    await expect(restoreBackup(file, used, { replace: false })).rejects.toThrow(/is not empty/);
    await rm(used, { recursive: true });
  });

  it("fails if it is not empty, unless replacing is allowed; the old content is then kept", async () => {
    const used = await makeSiteFolder();
    await writeFile(join(used, "only-here"), "");
    await expect(restoreBackup(file, used, { replace: false })).rejects.toThrow(/is not empty/);
    const { replaced } = await restoreBackup(file, used, { replace: true });
    expect((await readdir(replaced ?? "")).toSorted()).toEqual(["only-here", "pg"]);
    // Only its owner may open it: it holds personal data.
    expect((await stat(replaced ?? "")).mode & 0o777).toBe(0o700);
    expect(await readMessages(replaced ?? "")).toEqual([]);
    expect(await readMessages(used)).toEqual(messages);
    // A user who has signed out since the backup must not be signed in again by it.
    const tokens = "select id::text from auth.sessions union all select token from auth.refresh_tokens";
    expect(await withDatabaseOf(used, (sql) => sql(tokens))).toEqual([]);
  });
});

const readMessages = (dataDir: string) =>
  withDatabaseOf(dataDir, async (sql) => {
    const rows = await sql<{ id: string }>("select id from public.contact_submissions order by id");
    return rows.map(({ id }) => id);
  });

describe("an interrupted restore", () => {
  it.each([
    ["before anything was moved away", "ready", ["a", "b"], ["a", "c"], []],
    ["after part of the old content was moved away", "ready", ["a", "b"], ["c"], ["a"]],
    ["after the old content was moved away", "moving", ["a", "b"], [], ["a", "c"]],
    ["after part of the new content was moved in", "moving", ["b"], [], ["a", "c"]],
    ["after all of the new content was moved in", "moving", [], [], ["a", "c"]],
  ])("%s is completed by the next start, and the old content is kept", async (_, state, waiting, old, aside) => {
    const dataDir = await makeEmptyFolder();
    const content = join(dataDir, `restore.${state}.replaced-then`);
    await mkdir(content);
    for (const name of waiting) await write(join(content, name));
    for (const name of ["a", "b"].filter((each) => !waiting.includes(each)))
      await writeFile(join(dataDir, name), "new");
    for (const name of old) await write(join(dataDir, name));
    if (aside.length > 0) await mkdir(join(dataDir, "replaced-then"));
    for (const name of aside) await write(join(dataDir, "replaced-then", name));

    await finishRestore(dataDir);
    expect((await readdir(dataDir)).toSorted()).toEqual(["a", "b", "replaced-then"]);
    for (const name of ["a", "b"]) expect(await readFile(join(dataDir, name), "utf8")).toBe("new");
    for (const name of ["a", "c"]) expect(await readFile(join(dataDir, "replaced-then", name), "utf8")).toBe("old");
    await rm(dataDir, { recursive: true });
  });
});

/** Writes a file whose content tells whether it is new or old. */
async function write(path: string): Promise<void> {
  await writeFile(path, path.includes("restore.") ? "new" : "old");
}
