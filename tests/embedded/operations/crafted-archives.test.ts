import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { create, Header, Pax } from "tar";
import { beforeEach, expect, it } from "vitest";
import { finishRestore } from "#supabase/embedded/backups/finish-restore.ts";
import { describeFiles, makeManifest } from "#supabase/embedded/backups/manifest.ts";
import { restoreBackup } from "#supabase/embedded/backups/restore.ts";
import { unpackVerified } from "#supabase/embedded/backups/verify.ts";
import { OperationRefused } from "#supabase/embedded/operations/operation-refused.ts";
import { makeDataDir } from "../../support/site-folder.ts";

/** Compressible bytes, within tar's own limit of a ratio of a thousand. */
const bomb = Buffer.concat([randomBytes(81_920), Buffer.alloc(20_398_080)]);

let folder: string;
let content: string;
let unpacked: string;
let file: string;

beforeEach(async () => {
  folder = await makeDataDir();
  content = join(folder, "content");
  unpacked = join(folder, "unpacked");
  file = join(folder, "crafted.tar.gz");
  for (const each of [content, unpacked]) await mkdir(each);
});

/** Writes a manifest that matches the present content. @param changes fields to falsify */
async function describe(changes: Partial<Parameters<typeof makeManifest>[0]> = {}): Promise<void> {
  const fields = { productVersion: "0.1.0", madeAt: new Date().toISOString(), migrations: [], tables: [] };
  const manifest = makeManifest({ ...fields, files: await describeFiles(content), ...changes }, undefined);
  await writeFile(join(content, "manifest.json"), JSON.stringify(manifest));
}

const pack = async () => create({ cwd: content, file, gzip: true }, await readdir(content));

/** Does the same as `pack`, with raw entries after the manifest. */
async function packRaw(entries: Buffer[]): Promise<void> {
  const tar = join(folder, "manifest.tar");
  await create({ cwd: content, file: tar }, ["manifest.json"]);
  const manifest = (await readFile(tar)).subarray(0, -1024);
  await writeFile(file, gzipSync(Buffer.concat([manifest, ...entries, Buffer.alloc(1024)])));
}

function headerOf(data: { path: string; type: "File" | "Directory"; mode?: number; size?: number }): Buffer {
  const header = Buffer.alloc(512);
  new Header({ mode: 0o600, size: 0, mtime: new Date(), ...data }).encode(header, 0);
  return header;
}

/** @returns the refusal's message, followed by the names of any unpacked files */
async function refusalOf(): Promise<string> {
  const refusal: unknown = await unpackVerified(file, unpacked).then(
    () => new Error("The archive was unpacked."),
    (error: unknown) => error,
  );
  if (!(refusal instanceof OperationRefused)) throw refusal;
  return [refusal.message, ...(await readdir(unpacked))].join("\n");
}

it.each([
  "restore.ready/x",
  "Restore.Ready/x",
  "restore-now/x",
  "snapshot-now/x",
  "backups/x",
  "replaced-then/x",
  "lock.7",
  "control",
  "pg.init-1/x",
  "mail/one.eml.tmp",
])("rejects an archive with %s, which could block the next start, and leaves the folder unchanged", async (path) => {
  await mkdir(join(content, path, ".."), { recursive: true });
  await writeFile(join(content, path), "x");
  await describe();
  await pack();
  expect(await refusalOf()).toMatch(/ holds \S+, which is never in a backup of this site\.$/);
  const target = join(folder, "target");
  await expect(restoreBackup(file, target, { replace: false })).rejects.toThrow(
    "which is never in a backup of this site",
  );
  expect((await readdir(target)).filter((name) => !name.startsWith("lock."))).toEqual([]);
});

it("completes a restore that a bad archive blocked before", async () => {
  const ready = join(folder, "restore.ready.replaced-then");
  await mkdir(join(ready, "restore.ready"), { recursive: true });
  await writeFile(join(ready, "restore.ready", "x"), "");
  await writeFile(join(ready, "a"), "new");
  await finishRestore(folder);
  await finishRestore(folder);
  expect((await readdir(folder)).toSorted()).toEqual(["a", "replaced-then"]);
});

it("does not unpack a file that the manifest lacks or lists with another size, and refuses one with other bytes", async () => {
  await writeFile(join(content, "a"), "a");
  await describe();
  await writeFile(join(content, "bomb"), bomb);
  await pack();
  expect(await refusalOf()).toMatch(/does not match its manifest: the file bomb was added\.$/);
  await writeFile(join(content, "a"), bomb);
  await rm(join(content, "bomb"));
  await pack();
  expect(await refusalOf()).toMatch(/does not match its manifest: the file a was changed\.$/);
  await writeFile(join(content, "a"), "b");
  await pack();
  expect(await refusalOf()).toMatch(/does not match its manifest:\s.*the file a was changed/s);
});

it("checks the size that tar uses when two headers disagree", async () => {
  await writeFile(join(content, "a"), Buffer.alloc(10));
  await describe();
  const bytes = bomb.length;
  const hidden = [new Pax({ size: 10 }, true), new Pax({ path: "a", size: bytes })].map(
    (pax) => pax.encode() ?? Buffer.of(),
  );
  await packRaw([...hidden, headerOf({ path: "a", size: bytes, type: "File" }), bomb]);
  expect(await refusalOf()).toMatch(/the file a was changed\.$/);
});

it("rejects a path of more than 255 characters", async () => {
  await mkdir(join(content, "pg", "a".repeat(120)), { recursive: true });
  await writeFile(join(content, "pg", "a".repeat(120), "b".repeat(140)), "x");
  await describe();
  await pack();
  expect(await refusalOf()).toMatch(/holds a path that is too long\.$/);
});

it("rejects an archive of more than ten thousand folders", async () => {
  await describe();
  await packRaw(Array.from({ length: 10_001 }, (_, at) => headerOf({ path: `${at}/`, type: "Directory" })));
  expect(await refusalOf()).toMatch(/holds more than 10000 folders\.$/);
});

it("rejects a backup dated in the future, or with another time in its name", async () => {
  await describe({ madeAt: "2099-01-01T00:00:00.000Z" });
  await pack();
  expect(await refusalOf()).toMatch(/is dated 2099-01-01T00:00:00\.000Z, which is in the future: [^.]*\.$/);
  await describe({ madeAt: "2026-01-01T00:00:00.000Z" });
  file = join(folder, "backup-2026-02-01T00-00-00-000Z.tar.gz");
  await pack();
  expect(await refusalOf()).toMatch(/was renamed: it was made at 2026-01-01T00:00:00\.000Z\.$/);
});

it("rejects a backup of another PostgreSQL, and names the program that can restore it", async () => {
  await mkdir(join(content, "pg"));
  await writeFile(join(content, "pg", "PG_VERSION"), "17\n");
  await describe();
  await pack();
  expect(await refusalOf()).toMatch(/ PostgreSQL 17, .* only 18: restore it with .* version 0\.1\.0\.\n/);
});

it("ignores modes in an archive that would lock the owner out of a folder", async () => {
  await mkdir(join(content, "mail"));
  await writeFile(join(content, "mail", "one.eml"), "");
  await describe();
  const eml = headerOf({ path: "mail/one.eml", mode: 0o6777, type: "File" });
  await packRaw([headerOf({ path: "mail/", mode: 0o1000, type: "Directory" }), eml]);
  await unpackVerified(file, unpacked);
  expect((await stat(join(unpacked, "mail"))).mode & 0o7777).toBe(0o700);
  expect((await stat(join(unpacked, "mail", "one.eml"))).mode & 0o7777).toBe(0o600);
});
