import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { mkdir, open, readdir, readFile, truncate, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { SMTPServer } from "smtp-server";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findBackupBucket } from "~/lib/backup-settings.ts";
import { Bucket } from "#supabase/embedded/backups/bucket.ts";
import { copyBackups } from "#supabase/embedded/backups/copy-backups.ts";
import { nameBackup, removeExpiredBackups } from "#supabase/embedded/backups/expired-backups.ts";
import { runOperation } from "#supabase/embedded/operations/run-operation.ts";
import { runInProcess } from "../../support/commands/run-in-process.ts";
import { startS3, type S3Server } from "../../support/servers/s3-server.ts";
import { makeDataDir, makeSiteFolder } from "../../support/site-folder.ts";

let s3: S3Server;
let folder: string;

beforeEach(async () => {
  s3 = await startS3("firm");
  folder = await makeDataDir();
});
afterEach(() => s3.close());

const placeOf = (changes: Record<string, string> = {}) =>
  findBackupBucket({ ...s3.settings, ...changes }, "s3://firm/daily")!;
const bucketOf = (changes?: Record<string, string>) => new Bucket(placeOf(changes));

it("retries a download that breaks off, and completes it", async () => {
  const content = Buffer.alloc(300_000, "data");
  s3.objects.set("daily/a", content);
  s3.broken = 2;
  await bucketOf().get("a", join(folder, "a"));
  expect(await readFile(join(folder, "a"))).toEqual(content);
  expect(s3.requests).toEqual(["GET daily/a", "GET daily/a", "GET daily/a"]);
});

it("fails with the file's name after three broken downloads, and leaves no partial file", async () => {
  s3.objects.set("daily/a", Buffer.alloc(300_000, "data"));
  s3.broken = 3;
  const failed = bucketOf().get("a", join(folder, "a"));
  await expect(failed).rejects.toMatchObject({
    name: "BucketFailed",
    message: expect.stringMatching(/^GET a failed: /),
  });
  expect(await readdir(folder)).toEqual([]);
});

it("retries a list that breaks off", async () => {
  for (const name of ["a", "b", "c"]) s3.objects.set(`daily/${name}`, Buffer.from(name));
  s3.broken = 1;
  expect(await bucketOf().list()).toEqual(["a", "b", "c"]);
});

it("neither overwrites nor removes an existing file", async () => {
  s3.objects.set("daily/a", Buffer.from("theirs"));
  await writeFile(join(folder, "a"), "ours");
  await expect(bucketOf().get("a", join(folder, "a"))).rejects.toThrow("EEXIST");
  expect(await readFile(join(folder, "a"), "utf8")).toBe("ours");
});

it("rejects a file of more than 5 GB before sending anything", async () => {
  const file = join(folder, "large");
  await (await open(file, "w")).close();
  await truncate(file, 5 * 1024 ** 3 + 1);
  await expect(bucketOf().put("large", file)).rejects.toThrow(
    "PUT large failed: EntityTooLarge. It has 5.4 GB; the limit is 5 GB. Copy it by other means.",
  );
  expect(s3.requests).toEqual([]);
});

/** Starts another server. @returns a bucket there */
async function bucketAt(listener: RequestListener): Promise<Bucket> {
  const server = createServer(listener);
  await once(server.listen(0, "127.0.0.1").unref(), "listening");
  return bucketOf({ AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

it("reports a failure when another server responds 200 with an empty body", async () => {
  const bucket = await bucketAt((request, response) => request.resume().on("end", () => response.end()));
  await expect(bucket.put("a", Buffer.from("a"))).rejects.toThrow("NoETag");
  await expect(bucket.list()).rejects.toThrow("NoList");
});

it("follows no redirect to another server", async () => {
  const bucket = await bucketAt((request, response) =>
    response.writeHead(307, { Location: `${s3.settings.AWS_ENDPOINT_URL}${request.url}` }).end(),
  );
  await expect(bucket.list()).rejects.toThrow("307");
  expect(s3.requests).toEqual([]);
});

it("sends nothing to a server whose certificate nobody signed", async () => {
  const tls = new SMTPServer({ secure: true, logger: false }).on("error", () => undefined);
  tls.listen(0, "127.0.0.1");
  await once(tls.server, "listening");
  const bucket = bucketOf({ AWS_ENDPOINT_URL: `https://127.0.0.1:${(tls.server.address() as AddressInfo).port}` });
  await expect(bucket.list()).rejects.toThrow(/CERT/);
  tls.close(() => undefined);
});

it("uploads the other backups and deletes expired ones after a rejected upload", async () => {
  await mkdir(join(folder, "backups"));
  const [newest, older] = [1, 2].map(nameOfDay) as [string, string];
  const expired = [30, 40].map(nameOfDay) as [string, string];
  for (const name of [newest, older]) await writeFile(join(folder, "backups", name), name);
  for (const name of expired) s3.objects.set(`daily/${name}`, Buffer.from(""));
  s3.refused.add(`daily/${newest}`).add(`daily/${expired[1]}`);
  const copying = copyBackups(folder, placeOf(), { keys: { recipient: "", signingKey: "" }, keepDays: 7 });
  await expect(copying).rejects.toThrow(`PUT ${newest} failed: AccessDenied.`);
  expect([...s3.objects.keys()].toSorted()).toEqual([`daily/${expired[1]}`, `daily/${older}`]);
});

it("keeps the newest backup regardless of its age, and ignores future dates and unencrypted files", async () => {
  const [newest, older] = [20, 30].map(nameOfDay) as [string, string];
  const planted = [nameOfDay(-20_000), nameOfDay(1).replace(".age", "")];
  for (const name of [newest, older, ...planted]) s3.objects.set(`daily/${name}`, Buffer.from(""));
  const copied = await copyBackups(folder, placeOf(), { keys: { recipient: "", signingKey: "" }, keepDays: 7 });
  expect(copied).toEqual({ newest: null, deleted: [older], unencrypted: [planted[1]] });
});

it("deletes expired backups and replaced content on this machine, reports them, and keeps other files", async () => {
  const dataDir = await makeSiteFolder();
  const backups = join(dataDir, "backups");
  await mkdir(backups);
  const [old, young, draft] = [8, 6, 9].map((days) => nameOfDay(days).replace(".age", "")) as [string, string, string];
  const foreign = ["monday.tar.gz", `my-${old}`, `${old}.gpg`, "backup-yesterday.tar.gz"];
  const names = [old, young, `${draft}.2f0c8a52-6a55-4d0e-9d7b-0c3f2d1e4b5a.tmp`, ...foreign];
  for (const name of names) await writeFile(join(backups, name), "");
  const replaced = [old, young].map((name) => name.replace("backup", "replaced").replace(".tar.gz", ""));
  for (const name of replaced) await mkdir(join(dataDir, name, "pg"), { recursive: true });
  // In the operator's own folder, too, backups with the program's names are deleted.
  await writeFile(join(folder, old), "");

  const settings = { DATA_DIR: dataDir, BACKUP_KEEP_DAYS: "7" };
  const { code, said } = await runInProcess(() => runOperation("backup", [folder], settings));
  expect(code).toBe(0);
  expect((await readdir(backups)).toSorted()).toEqual([...foreign, young].toSorted());
  expect((await readdir(dataDir)).filter((name) => name.startsWith("replaced"))).toEqual([replaced[1]]);
  expect(said).toContain("Deleted because they were older than 7 days (BACKUP_KEEP_DAYS):");
  for (const name of [old, replaced[0]]) expect(said).toContain(name);
  const elsewhere = await readdir(folder);
  expect(elsewhere).toHaveLength(2);
  expect(elsewhere).not.toContain(old);
});

it("keeps the newest backup on this machine at any age, and names it", async () => {
  const [newest, older] = [8, 9].map(nameOfDay) as [string, string];
  for (const name of [newest, older]) await writeFile(join(folder, name), "");
  const { deleted, outdated } = await removeExpiredBackups(folder, 7);
  expect([deleted.length, outdated]).toEqual([1, join(folder, newest)]);
  expect(await readdir(folder)).toEqual([newest]);
});

/** Returns the name of an encrypted backup with this age in days. */
function nameOfDay(days: number): string {
  return nameBackup(new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString(), true);
}
