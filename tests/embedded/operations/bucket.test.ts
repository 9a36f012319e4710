import { createServer } from "node:http";
import { once } from "node:events";
import { mkdir, mkdtemp, open, readdir, readFile, truncate, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SMTPServer } from "smtp-server";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findBackupBucket } from "~/lib/backup-settings.ts";
import { Bucket } from "#supabase/embedded/backups/bucket.ts";
import { copyBackups } from "#supabase/embedded/backups/copy-backups.ts";
import { startS3, type S3Server } from "../../support/servers/s3-server.ts";

let s3: S3Server;
let folder: string;

beforeEach(async () => {
  s3 = await startS3("firm");
  folder = await mkdtemp(join(tmpdir(), "bucket-"));
});
afterEach(() => s3.close());

function placeOf(changes: Record<string, string> = {}) {
  const place = findBackupBucket({ ...s3.settings, ...changes }, "s3://firm/daily");
  if (!place) throw new Error("The settings name no bucket.");
  return place;
}
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

it("reports a failure when another server responds 200 with an empty body", async () => {
  const gateway = createServer((request, response) => request.resume().on("end", () => response.end()));
  await once(gateway.listen(0, "127.0.0.1"), "listening");
  const bucket = bucketOf({ AWS_ENDPOINT_URL: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}` });
  await Promise.all([
    expect(bucket.put("a", Buffer.from("a"))).rejects.toThrow("NoETag"),
    expect(bucket.list()).rejects.toThrow("NoList"),
  ]);
  gateway.close();
});

it("sends nothing to a server whose certificate nobody signed", async () => {
  const tls = new SMTPServer({ secure: true, logger: false }).on("error", () => undefined);
  tls.listen(0, "127.0.0.1");
  await once(tls.server, "listening");
  const bucket = bucketOf({ AWS_ENDPOINT_URL: `https://127.0.0.1:${(tls.server.address() as AddressInfo).port}` });
  await expect(bucket.list()).rejects.toThrow(/CERT/);
  tls.close(() => undefined);
});

it("follows no redirect to another server", async () => {
  const moved = createServer((request, response) =>
    response.writeHead(307, { Location: `${s3.settings.AWS_ENDPOINT_URL}${request.url}` }).end(),
  );
  await once(moved.listen(0, "127.0.0.1"), "listening");
  const bucket = bucketOf({ AWS_ENDPOINT_URL: `http://127.0.0.1:${(moved.address() as AddressInfo).port}` });
  await expect(bucket.list()).rejects.toThrow("307");
  expect(s3.requests).toEqual([]);
  moved.close();
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

/** Returns the name of an encrypted backup with this age in days. */
function nameOfDay(days: number): string {
  const at = new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString();
  return `backup-${at.replaceAll(/[:.]/g, "-")}.tar.gz.age`;
}
