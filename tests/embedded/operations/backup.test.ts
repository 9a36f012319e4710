import { copyFile, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packFolder } from "#supabase/embedded/backups/archive.ts";
import { readBackupStatus } from "#supabase/embedded/backups/backup-status.ts";
import { type Backup, makeBackup } from "#supabase/embedded/backups/backup.ts";
import { nameBackup } from "#supabase/embedded/backups/expired-backups.ts";
import { finishRestore } from "#supabase/embedded/backups/finish-restore.ts";
import { restoreBackup } from "#supabase/embedded/backups/restore.ts";
import { verify } from "#supabase/embedded/backups/restore-commands.ts";
import { verifyBackup } from "#supabase/embedded/backups/verify.ts";
import { DataFolderInUse, lockFolder } from "#supabase/embedded/folder/lock.ts";
import { OperationRefused } from "#supabase/embedded/operations/operation-refused.ts";
import { withDatabaseOf } from "../../support/find-text.ts";
import { makeDataDir, makeSiteFolder } from "../../support/site-folder.ts";
import { startTestBackend, type TestBackend } from "../support/start-backend.ts";
import { sendMessage, startSite } from "./site.ts";

let site: TestBackend;
let folder: string;
let backup: Backup;
let messages: string[];

beforeAll(async () => {
  site = await startSite();
  folder = join(await makeDataDir(), "new");
  await site.signIn();
  messages = [await sendMessage(site), await sendMessage(site)].toSorted();
  backup = await makeBackup(site.dataDir, join(folder, "backup.tar.gz"));
});
afterAll(() => site.close());

/** Counts the messages in a backup, which was compared with its manifest when it was made. */
const countMessages = ({ manifest }: Backup) =>
  manifest.tables.find(({ name }) => name === "public.contact_submissions")?.rows ?? 0;

const readRows = ({ sql }: Pick<TestBackend, "sql">) =>
  sql("select id from public.contact_submissions union all select id from private.email_outbox order by id");

describe("a backup", () => {
  it("is one file in a folder, both for their owner only, and leaves no other files", async () => {
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
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
    const restored = await startTestBackend({ dataDir });
    expect(await readRows(restored)).toEqual(await readRows(site));
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
    let acknowledged = messages.length;
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

  it("that starts is counted by verify-backup --start, and its folder changes nothing", async () => {
    const dataDir = await makeDataDir();
    await mkdir(join(dataDir, "backups"));
    const { madeAt } = await verifyBackup(backup.file);
    await copyFile(backup.file, join(dataDir, "backups", nameBackup(madeAt, false)));
    const said = await verify(["--start"], { DATA_DIR: dataDir });
    expect(said).toMatch(/is intact: .*\. It starts, 2 messages, newest (?:today|\d{4}-\d\d-\d\d) \d\d:\d\d UTC\.$/m);
    const { verified } = await readBackupStatus(dataDir, Date.now());
    expect(verified).toEqual({ backup: madeAt, at: expect.stringMatching(/Z$/) });
  });
});

const flipBit = (bytes: Buffer, at: number) => Buffer.from(bytes).fill(bytes[at]! ^ 0x10, at, at + 1);

describe("a damaged backup", () => {
  it.each<[what: string, damage: (bytes: Buffer) => Buffer]>([
    ["with one bit flipped in the middle", (bytes) => flipBit(bytes, bytes.length >> 1)],
    ["with one bit flipped in its last checksum", (bytes) => flipBit(bytes, bytes.length - 6)],
    ["truncated by a byte", (bytes) => bytes.subarray(0, -1)],
    ["that is something else", () => Buffer.from("not an archive")],
  ])("%s is rejected by verify and restore, and leaves the folder empty", async (_, damage) => {
    const [copy, target] = [join(folder, "damaged.tar.gz"), await makeDataDir()];
    await writeFile(copy, damage(await readFile(backup.file)));
    await expect(verifyBackup(copy)).rejects.toBeInstanceOf(OperationRefused);
    await expect(restoreBackup(copy, target, { replace: false })).rejects.toBeInstanceOf(OperationRefused);
    expect((await readdir(target)).filter((name) => !name.startsWith("lock."))).toEqual([]);
  });
});

describe("restoring into a folder", () => {
  it("fails while a server holds it", async () => {
    const held = await makeDataDir();
    const lock = await lockFolder(held);
    await expect(restoreBackup(backup.file, held, { replace: true })).rejects.toBeInstanceOf(DataFolderInUse);
    await lock.release();
  });

  it("fails if it holds a single file", async () => {
    const used = await makeDataDir();
    await writeFile(join(used, "facts.yaml"), "");
    await expect(restoreBackup(backup.file, used, { replace: false })).rejects.toThrow(/is not empty/);
  });

  it("fails if it is not empty, unless replacing is allowed; the old content is then kept", async () => {
    const used = await makeSiteFolder();
    await writeFile(join(used, "only-here"), "");
    const { replaced } = await restoreBackup(backup.file, used, { replace: true });
    expect((await readdir(replaced ?? "")).toSorted()).toEqual(["only-here", "pg"]);
    // Only its owner may open it: it holds personal data.
    expect((await stat(replaced ?? "")).mode & 0o777).toBe(0o700);
    expect(await readMessages(replaced ?? "")).toEqual([]);
    expect(await readMessages(used)).toEqual(messages.map((id) => ({ id })));
    // A user who has signed out since the backup must not be signed in again by it.
    const tokens = "select id::text from auth.sessions union all select token from auth.refresh_tokens";
    expect(await withDatabaseOf(used, (sql) => sql(tokens))).toEqual([]);
  });
});

const readMessages = (dataDir: string) =>
  withDatabaseOf(dataDir, (sql) => sql("select id from public.contact_submissions order by id"));

describe("an interrupted restore", () => {
  it.each([
    ["before anything was moved away", "ready", ["a", "b"], ["a", "c"], []],
    ["after part of the old content was moved away", "ready", ["a", "b"], ["c"], ["a"]],
    ["after the old content was moved away", "moving", ["a", "b"], [], ["a", "c"]],
    ["after part of the new content was moved in", "moving", ["b"], [], ["a", "c"]],
    ["after all of the new content was moved in", "moving", [], [], ["a", "c"]],
  ])("%s is completed by the next start, and the old content is kept", async (_, state, waiting, old, aside) => {
    const dataDir = await makeDataDir();
    const content = join(dataDir, `restore.${state}.replaced-then`);
    await mkdir(content);
    for (const name of waiting) await writeFile(join(content, name), "new");
    for (const name of ["a", "b"].filter((each) => !waiting.includes(each)))
      await writeFile(join(dataDir, name), "new");
    for (const name of old) await writeFile(join(dataDir, name), "old");
    if (aside.length > 0) await mkdir(join(dataDir, "replaced-then"));
    for (const name of aside) await writeFile(join(dataDir, "replaced-then", name), "old");

    await finishRestore(dataDir);
    expect((await readdir(dataDir)).toSorted()).toEqual(["a", "b", "replaced-then"]);
    for (const name of ["a", "b"]) expect(await readFile(join(dataDir, name), "utf8")).toBe("new");
    for (const name of ["a", "c"]) expect(await readFile(join(dataDir, "replaced-then", name), "utf8")).toBe("old");
  });
});
