import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readFacts } from "~/content/firm/facts-file.server";
import { type OperationName, runOperation } from "#supabase/embedded/operations/run-operation.ts";
import { withDatabaseOf } from "../support/find-text";
import { shortLived } from "../support/short-lived";
import { runCommand } from "../support/commands/admin-command";
import { runInProcess } from "../support/commands/run-in-process";
import { startS3, type S3Server } from "../support/servers/s3-server";
import { makeDataDir, makeSiteFolder } from "../support/site-folder";

const address = "s3://firm-backups/site-one/daily";
const prefix = "site-one/daily/";

let s3: S3Server;
let dataDir: string;
let identity: string;
/** both of its lines */
let keyFile: string;
let settings: Record<string, string>;

/** Does the same as `runCommand` in this process. Each command also runs once in a separate process, from the build. */
const run = (name: OperationName, words: string[], folder: string, input = "", more: Record<string, string> = {}) =>
  runInProcess(() => runOperation(name, words, { DATA_DIR: folder, ...more }), input);

beforeAll(async () => {
  s3 = await startS3("firm-backups");
  dataDir = await makeSiteFolder();
  const made = await runCommand("backup-key", [], dataDir);
  const find = (pattern: RegExp) => pattern.exec(made.said)?.[1] ?? "";
  identity = find(/(AGE-SECRET-KEY-1\w{58})/);
  keyFile = `${find(/(# backup-verify-\S+)/)}\n${identity}\n`;
  settings = {
    ...s3.settings,
    BACKUP_TO: address,
    BACKUP_RECIPIENT: find(/BACKUP_RECIPIENT=(\S+)/),
    BACKUP_SIGNING_KEY: find(/BACKUP_SIGNING_KEY=(\S+)/),
    BACKUP_KEEP_DAYS: "7",
  };
});
afterAll(() => s3.close());

const backups = () => [...s3.objects.keys()].filter((key) => key.includes("backup-"));

/** The secret half of a key that is not this site's. */
const otherIdentity = async () => /AGE-SECRET-KEY-1\w+/.exec((await run("backup-key", [], dataDir)).said)?.[0] ?? "";

it.each<[key: string, input: () => string | Promise<string>, code: number, said: string]>([
  ["the right key", () => `# made today\n${keyFile}`, 0, "This is the right key"],
  ["half a key", () => identity, 1, "does not verify them. Its second line must be # backup-v"],
  ["another site's key", otherIdentity, 1, "This is the wrong key"],
  ["no key", () => "hello", 1, "That is not a key"],
])("tells %s", async (_key, input, code, said) => {
  const result = await run("backup-key", ["check"], dataDir, await input(), settings);
  expect(result).toEqual({ code, said: expect.stringContaining(said) });
});

it("makes no copy without encryption", async () => {
  const plain = await run("backup", [], dataDir, "", { ...settings, BACKUP_RECIPIENT: "", BACKUP_SIGNING_KEY: "" });
  expect(plain).toEqual({ code: 1, said: expect.stringContaining("BACKUP_RECIPIENT is missing") });
});

it("copies both backups after a killed upload, and deletes expired copies, even with mistakes in the facts", async () => {
  await mkdir(join(dataDir, "privacy-pack"));
  await writeFile(join(dataDir, "privacy-pack/privacy-pack.json"), "{}");
  await writeFile(join(dataDir, "facts.yaml"), "nmae: Firm One\nemail: nobody\n");
  expect(readFacts({ DATA_DIR: dataDir }).mistakes).toHaveLength(2);
  s3.stalls = true;
  const killed = spawn(process.execPath, [...shortLived, "bin/site.mjs", "backup"], {
    env: { NODE_ENV: "production", TMPDIR: process.env.TMPDIR, DATA_DIR: dataDir, ...settings },
    stdio: "ignore",
  });
  await s3.stalled;
  killed.kill("SIGKILL");
  await once(killed, "exit");
  expect(backups()).toEqual([]);
  s3.stalls = false;
  s3.failures = 2;
  const old = `${prefix}backup-2025-01-01T00-00-00-000Z.tar.gz.age`;
  s3.objects.set(old, Buffer.from(""));
  s3.objects.set(`${prefix}somebody's.txt`, Buffer.from(""));
  const { code, said } = await run("backup", [], dataDir, "", settings);
  expect(said).toContain(`Copied to ${address}.`);
  expect(said).toContain(`${address}: backup-2025-01-01`);
  expect(code).toBe(0);
  const names = (await readdir(join(dataDir, "backups"))).filter((name) => name.startsWith("backup-"));
  expect(names).toHaveLength(2);
  expect(backups().toSorted()).toEqual(names.map((name) => `${prefix}${name}`).toSorted());
  for (const name of names) {
    expect(name).toMatch(/\.tar\.gz\.age$/);
    const copy = s3.objects.get(`${prefix}${name}`) ?? Buffer.of();
    expect((await readFile(join(dataDir, "backups", name))).equals(copy)).toBe(true);
  }
  expect(s3.objects.has(`${prefix}somebody's.txt`)).toBe(true);
  const encrypted = [...s3.objects].filter(([name]) => name.endsWith(".age")).map(([, content]) => content);
  expect(encrypted.map((content) => content.toString("latin1", 0, 21))).toEqual(Array(3).fill("age-encryption.org/v1"));
});

it("verifies and restores a copy by its address and the right key only, without the privacy pack", async () => {
  const target = await makeDataDir();
  const restored = await runCommand("restore", [address, "--yes"], target, keyFile, s3.settings);
  expect(restored).toEqual({
    code: 0,
    said: expect.stringMatching(/is restored.*\n0 people were erased again: .*complete until/),
  });
  expect(await readdir(target)).toEqual(expect.arrayContaining(["pg", "backups", "facts.yaml"]));
  expect(await readdir(target)).not.toContain("privacy-pack");
  const newest = backups().toSorted().at(-1)?.slice(prefix.length) ?? "";
  const own = join(dataDir, "backups", newest);
  const wrong = await run("verify-backup", [own], dataDir, await otherIdentity());
  expect(wrong).toEqual({ code: 1, said: expect.stringMatching(/^The key is wrong: .* was not encrypted for age1/) });
  const record = join(dataDir, "backups", "last-verified.json");
  expect(existsSync(record)).toBe(false);
  const intact = { code: 0, said: expect.stringContaining("is intact: made 20") };
  expect(await run("verify-backup", [own], dataDir, keyFile)).toEqual(intact);
  const backup = expect.stringMatching(/^20\S+Z$/);
  expect(JSON.parse(await readFile(record, "utf8"))).toEqual({ backup, at: backup });
  expect(await run("verify-backup", [address], dataDir, keyFile, s3.settings)).toEqual(intact);
  expect(JSON.parse(await readFile(record, "utf8"))).toEqual({ backup, copy: backup, at: backup });
  const noKey = { code: 1, said: "The backup is encrypted, but no key was given." };
  expect(await run("verify-backup", [own], dataDir, "")).toEqual(noKey);
  const cut = join(target, "cut.tar.gz.age");
  await writeFile(cut, (await readFile(own)).subarray(0, 200_000));
  const damaged = { code: 1, said: expect.stringContaining("is damaged or truncated") };
  expect(await run("verify-backup", [cut], dataDir, keyFile)).toEqual(damaged);
});

it("deletes no copy after a clock jump", async () => {
  const old = `${prefix}backup-2025-01-01T00-00-00-000Z.tar.gz.age`;
  s3.objects.set(old, Buffer.from(""));
  await withDatabaseOf(dataDir, (sql) =>
    sql(
      `insert into private.retention_clock (seen_at) values (now() - interval '15 days')
       on conflict (is_only) do update set seen_at = excluded.seen_at returning 1 as ok`,
    ),
  );
  expect((await run("backup", [], dataDir, "", settings)).code).toBe(0);
  expect(s3.objects.has(old)).toBe(true);
});

it.each<[string, Record<string, string>, from: string, said: string]>([
  ["the service's own error code", { AWS_SECRET_ACCESS_KEY: "another" }, address, "SignatureDoesNotMatch"],
  ["an empty folder of the bucket", {}, "s3://firm-backups/nothing", "There is no backup at"],
  ["missing keys", { AWS_SECRET_ACCESS_KEY: "" }, address, "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"],
])("reports %s", async (_, more, from, said) => {
  const empty = await makeDataDir();
  const restored = await run("restore", [from, "--replace"], empty, keyFile, { ...s3.settings, ...more });
  expect(restored).toEqual({ code: 1, said: expect.stringContaining(said) });
});
