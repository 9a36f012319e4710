import { copyFile, mkdir, open, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { finishRestore } from "#supabase/embedded/folder/finish-restore.ts";
import { DataFolderInUse } from "#supabase/embedded/folder/lock.ts";
import { makeBackup } from "#supabase/embedded/operations/backups/backup.ts";
import { restoreBackup } from "#supabase/embedded/operations/backups/restore.ts";
import { verifyBackup } from "#supabase/embedded/operations/backups/verify.ts";
import { clientOf } from "../support/client.ts";
import { makeEmptyFolder, startTestBackend } from "../support/start-backend.ts";
import { testAdmin } from "../../support/test-admin.ts";
import { sendMessage, startSite, storedMessages } from "./site.ts";

let folder: string;
let file: string;
let messages: Set<string>;

beforeAll(async () => {
  folder = await makeEmptyFolder();
  const site = await startSite();
  const { auth } = clientOf(site, site.publishableKey);
  await auth.signInWithPassword(testAdmin);
  messages = new Set([await sendMessage(site), await sendMessage(site)]);
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

describe("restoring into a folder", () => {
  it("fails while a server runs on it", async () => {
    const running = await startTestBackend();
    await expect(restoreBackup(file, running.dataDir, { replace: true })).rejects.toBeInstanceOf(DataFolderInUse);
    await running.remove();
  });

  it("fails if it is not empty, unless replacing is allowed; the old content is then kept", async () => {
    const used = await startSite();
    const kept = await sendMessage(used);
    await writeFile(join(used.dataDir, "only-here"), "");
    await used.close();
    await expect(restoreBackup(file, used.dataDir, { replace: false })).rejects.toThrow(/is not empty/);
    const { replaced } = await restoreBackup(file, used.dataDir, { replace: true });
    expect((await readdir(replaced ?? "")).toSorted()).toEqual([
      "mail",
      "only-here",
      "pg",
      "secrets.json",
      "session-secret",
    ]);
    const restored = await startTestBackend({ dataDir: used.dataDir });
    expect(await storedMessages(restored)).toEqual(messages);
    // A user who has signed out since the backup must not be signed in again by it.
    const tokens = "select id::text from auth.sessions union all select id from auth.refresh_tokens";
    expect(await restored.sql(tokens)).toEqual([]);
    await restored.close();
    const before = await startTestBackend({ dataDir: replaced ?? "" });
    expect(await storedMessages(before)).toEqual(new Set([kept]));
    await before.close();
    await rm(used.dataDir, { recursive: true });
  });
});

describe("an interrupted restore", () => {
  it.each([
    ["before anything was moved away", ["a", "b"], ["a", "c"], []],
    ["after the old content was moved away", ["a", "b"], [], ["a", "c"]],
    ["after part of the new content was moved in", ["b"], [], ["a", "c"]],
    ["after all of the new content was moved in", [], [], ["a", "c"]],
  ])("%s is completed by the next start, and the old content is kept", async (_, waiting, old, aside) => {
    const dataDir = await makeEmptyFolder();
    const content = join(dataDir, "restore.ready", "content");
    await mkdir(content, { recursive: true });
    await writeFile(join(dataDir, "restore.ready", "plan.json"), '{"names":["a","b"],"replaced":"replaced-then"}');
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
  await writeFile(path, path.includes("content") ? "new" : "old");
}
