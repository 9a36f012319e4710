import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { packFolder } from "#supabase/embedded/backups/archive";
import { makeBackup } from "#supabase/embedded/backups/backup";
import { encryptStream } from "#supabase/embedded/backups/encryption";
import { nameBackup } from "#supabase/embedded/backups/expired-backups";
import { makeManifest } from "#supabase/embedded/backups/manifest";
import { makeSigningKey, signContent } from "#supabase/embedded/backups/signature";
import { type OperationName, runOperation } from "#supabase/embedded/operations/run-operation";
import { runCommand } from "../support/commands/admin-command";
import { runInProcess } from "../support/commands/run-in-process";
import { withDatabaseOf } from "../support/find-text";
import { startS3, type S3Server } from "../support/servers/s3-server";
import { shortLived } from "../support/short-lived";
import { makeDataDir, makeSiteFolder } from "../support/site-folder";
import { testAdmin } from "../support/test-admin";

const address = "s3://firm-backups/site-one/daily";
const prefix = "site-one/daily/";
const expired = `${prefix}backup-2025-01-01T00-00-00-000Z.tar.gz.age`;

let s3: S3Server;
let keys: { BACKUP_RECIPIENT: string; BACKUP_SIGNING_KEY: string };
let settings: Record<string, string>;
/** the operator's key file, and the line of it that decrypts */
let keyFile: string;
let identity: string;
/** the site's folder, and a folder for an attacker's backups */
let dataDir: string;
let planted: string;
/** content of the bucket before the attacker writes to it, by name */
let genuine: Map<string, Buffer>;

beforeAll(async () => {
  s3 = await startS3("firm-backups");
  [dataDir, planted] = await Promise.all([makeSiteFolder(), makeDataDir()]);
  const { said } = await runCommand("backup-key", [], dataDir);
  const find = (pattern: RegExp) => pattern.exec(said)?.[1] ?? "";
  identity = find(/(AGE-SECRET-KEY-1\w{58})/);
  keyFile = `# made today\n${find(/(# backup-verify-\S+)/)}\n${identity}\n`;
  keys = {
    BACKUP_RECIPIENT: find(/BACKUP_RECIPIENT=(\S+)/),
    BACKUP_SIGNING_KEY: find(/BACKUP_SIGNING_KEY=(\S+)/),
  };
  settings = { ...keys, BACKUP_TO: address, BACKUP_KEEP_DAYS: "7" };
  await run("admin", ["grant", testAdmin.email], dataDir);
  await run("backup", [], dataDir, settings);
  genuine = new Map(s3.objects);
});
afterAll(() => s3.close());

/** Does the same as `runCommand` in this process. Each command also runs once in a separate process, from the build. */
const run = (
  name: OperationName,
  words: string[],
  folder: string,
  more: Record<string, string> = {},
  input = keyFile,
) => runInProcess(() => runOperation(name, words, { DATA_DIR: folder, ...s3.settings, ...more }), input);

const copies = () => [...s3.objects.keys()].filter((key) => key.includes("backup-")).toSorted();

/** Lists a folder without the locks of commands that have ended. */
const list = async (folder: string) => (await readdir(folder)).filter((name) => !name.startsWith("lock."));

/** The secret half of a key that is not this site's. */
const otherIdentity = async () => /AGE-SECRET-KEY-1\w+/.exec((await run("backup-key", [], dataDir)).said)?.[0] ?? "";

it.each<[key: string, input: () => string | Promise<string>, code: number, said: string]>([
  ["the right key", () => keyFile, 0, "This is the right key"],
  ["half a key", () => identity, 1, "does not verify them. Its second line must be # backup-v"],
  ["another site's key", otherIdentity, 1, "This is the wrong key"],
  ["no key", () => "hello", 1, "That is not a key"],
])("tells %s", async (_key, input, code, said) => {
  const result = await run("backup-key", ["check"], dataDir, settings, await input());
  expect(result).toEqual({ code, said: expect.stringContaining(said) });
});

it("makes no copy without encryption", async () => {
  const plain = await run("backup", [], dataDir, { ...settings, BACKUP_RECIPIENT: "", BACKUP_SIGNING_KEY: "" });
  expect(plain).toEqual({ code: 1, said: expect.stringContaining("BACKUP_RECIPIENT is missing") });
});

it("copies all backups after a killed upload, and deletes expired copies, even with mistakes in the facts", async () => {
  await mkdir(join(dataDir, "privacy-pack"));
  await writeFile(join(dataDir, "privacy-pack/privacy-pack.json"), "{}");
  await writeFile(join(dataDir, "facts.yaml"), "nmae: Firm One\nemail: nobody\n");
  const before = copies();
  s3.stalls = true;
  const killed = spawn(process.execPath, [...shortLived, "bin/site.mjs", "backup"], {
    env: { NODE_ENV: "production", TMPDIR: process.env.TMPDIR, DATA_DIR: dataDir, ...s3.settings, ...settings },
    stdio: "ignore",
  });
  await s3.stalled;
  killed.kill("SIGKILL");
  await once(killed, "exit");
  expect(copies()).toEqual(before);
  s3.stalls = false;
  s3.failures = 2;
  s3.objects.set(expired, Buffer.from(""));
  const { code, said } = await run("backup", [], dataDir, settings);
  expect(said).toContain(`Copied to ${address}.`);
  expect(said).toContain(`${address}: backup-2025-01-01`);
  expect(code).toBe(0);
  const names = (await readdir(join(dataDir, "backups"))).filter((name) => name.startsWith("backup-"));
  expect(names).toHaveLength(before.length + 2);
  expect(copies()).toEqual(names.map((name) => `${prefix}${name}`).toSorted());
});

it("verifies and restores a copy by its address and the right key only, without the privacy pack", async () => {
  const target = await makeDataDir();
  const restored = await runCommand("restore", [address, "--yes"], target, keyFile, s3.settings);
  const said = expect.stringMatching(/is restored.*\n0 people were erased again: .*complete until/);
  expect(restored).toEqual({ code: 0, said });
  expect(await readdir(target)).toEqual(expect.arrayContaining(["pg", "backups", "facts.yaml"]));
  expect(await readdir(target)).not.toContain("privacy-pack");
  const own = join(dataDir, "backups", copies().at(-1)?.slice(prefix.length) ?? "");
  const verify = (place: string, key = keyFile) => run("verify-backup", [place], dataDir, {}, key);
  const wrong = expect.stringMatching(/^The key is wrong: .* was not encrypted for age1/);
  expect(await verify(own, await otherIdentity())).toEqual({ code: 1, said: wrong });
  const record = join(dataDir, "backups", "last-verified.json");
  expect(existsSync(record)).toBe(false);
  const intact = { code: 0, said: expect.stringContaining("is intact: made 20") };
  expect(await verify(own)).toEqual(intact);
  const backup = expect.stringMatching(/^20\S+Z$/);
  expect(JSON.parse(await readFile(record, "utf8"))).toEqual({ backup, at: backup });
  expect(await verify(address)).toEqual(intact);
  expect(JSON.parse(await readFile(record, "utf8"))).toEqual({ backup, copy: backup, at: backup });
  expect(await verify(own, "")).toEqual({ code: 1, said: "The backup is encrypted, but no key was given." });
  const cut = join(target, "cut.tar.gz.age");
  await writeFile(cut, (await readFile(own)).subarray(0, 200_000));
  expect(await verify(cut)).toEqual({ code: 1, said: expect.stringContaining("is damaged or truncated") });
});

it("deletes no copy after a clock jump", async () => {
  s3.objects.set(expired, Buffer.from(""));
  await withDatabaseOf(dataDir, (sql) =>
    sql(
      `insert into private.retention_clock (seen_at) values (now() - interval '15 days')
       on conflict (is_only) do update set seen_at = excluded.seen_at returning 1 as ok`,
    ),
  );
  expect((await run("backup", [], dataDir, settings)).code).toBe(0);
  expect(s3.objects.has(expired)).toBe(true);
});

it.each<[string, Record<string, string>, from: string, said: string]>([
  ["the service's own error code", { AWS_SECRET_ACCESS_KEY: "another" }, address, "SignatureDoesNotMatch"],
  ["an empty folder of the bucket", {}, "s3://firm-backups/nothing", "There is no backup at"],
  ["missing keys", { AWS_SECRET_ACCESS_KEY: "" }, address, "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"],
])("reports %s", async (_, more, from, said) => {
  const restored = await run("restore", [from, "--replace"], await makeDataDir(), more);
  expect(restored).toEqual({ code: 1, said: expect.stringContaining(said) });
});

const encrypt = async (plain: Uint8Array) =>
  buffer(await encryptStream(Readable.from([plain]), [keys.BACKUP_RECIPIENT]));

/** Fills the bucket with the site's own objects, and with objects planted by an attacker with write access. */
function plant(objects: Record<string, Buffer>): void {
  s3.objects.clear();
  for (const [key, content] of genuine) s3.objects.set(key, content);
  for (const [name, content] of Object.entries(objects)) s3.objects.set(prefix + name, content);
}

/** Makes a small forged backup, encrypted for the firm or unencrypted. */
async function forge(
  name: string,
  signingKey: string | undefined,
  madeAt = new Date().toISOString(),
  isPlain = false,
): Promise<Buffer> {
  const content = await makeDataDir();
  const fields = { productVersion: "0.1.0", madeAt, migrations: [], tables: [], files: [] };
  await writeFile(join(content, "manifest.json"), JSON.stringify(makeManifest(fields, signingKey)));
  await packFolder(content, join(planted, name), isPlain ? [] : [keys.BACKUP_RECIPIENT], async () => undefined);
  return readFile(join(planted, name));
}

const asBytes = (content: object) => Buffer.from(JSON.stringify(content));
const openList = { format: 1, completeUntil: new Date().toISOString(), erasures: [] };

it("rejects an unencrypted backup and an unencrypted list of erasures planted in the bucket", async () => {
  const name = nameBackup("2099-01-01T00:00:00.000Z", false);
  const plain = await forge("plain", undefined, "2099-01-01T00:00:00.000Z", true);
  const openErasures = asBytes({ ...openList, completeUntil: "2099-01-01T00:00:00.000Z" });
  plant({ [name]: plain, "erasures.json.age": openErasures });
  const target = await makeDataDir();
  const restore = (from = address) => run("restore", [from, "--yes"], target);
  const plainList = expect.stringMatching(/erasures\.json\.age is not encrypted, .*\.$/);
  expect(await restore()).toEqual({ code: 1, said: plainList });
  const said = `${name} is not encrypted: this site puts only encrypted backups into a bucket.`;
  expect(await restore(`${address}/${name}`)).toEqual({ code: 1, said });
  const disguised = nameBackup(new Date(Date.now() + 60_000).toISOString(), true);
  plant({ [disguised]: plain });
  expect((await restore()).said).toContain(`${disguised} is not encrypted`);
  plant({ [name]: plain });
  const verified = await run("verify-backup", [address], target);
  expect(verified).toEqual({ code: 0, said: expect.stringMatching(/backup-20[^9].*is intact: made 20/) });
  expect(verified.said).toContain(`Not encrypted, although others are: ${name}.`);
  expect(await list(target)).toEqual([]);
});

it("rejects a backup or list encrypted for the firm but not signed by its server", async () => {
  const at = new Date(Date.now() + 60_000).toISOString();
  const name = nameBackup(at, true);
  const verify = async (content: Buffer) => {
    plant({ [name]: content });
    return (await run("verify-backup", [address], dataDir)).said.split("/").at(-1);
  };
  expect(await verify(await forge("1", undefined, at))).toMatch(
    /^backup-\S+ is not signed\. .* add --without-signature\.$/,
  );
  const other = makeSigningKey().signingKey;
  expect(await verify(await forge("2", other, at))).toMatch(/^backup-\S+ is not signed with this site's key: [^.]*\.$/);

  const signature = signContent("erasures", openList, other);
  plant({ "erasures.json.age": await encrypt(asBytes({ ...openList, signature })) });
  const restored = await run("restore", [address, "--yes"], await makeDataDir());
  expect(restored).toEqual({ code: 1, said: expect.stringContaining("erasures.json is not signed by this site.") });
});

it("previews a restore, and changes nothing without confirmation", async () => {
  plant({});
  const target = await makeDataDir();
  const shown = await run("restore", [address], target);
  expect(shown.code).toBe(1);
  expect(shown.said).toMatch(/^backup-\S+: made 20\S+ by version \S+, /);
  expect(shown.said).toContain(`Its admins: ${testAdmin.email}.`);
  expect(shown.said).toMatch(/Nothing was changed\. If this is the right backup, add --yes\.$/);
  expect(await list(target)).toEqual([]);
});

it("rejects unencrypted and unsigned backups on a site that encrypts its own, unless the operator overrides it", async () => {
  const folder = await makeDataDir();
  const { file } = await makeBackup(await makeSiteFolder(), folder);
  const target = await makeDataDir();
  await mkdir(join(target, "backups"));
  for (const [name, more] of [
    ["verify-backup"],
    ["restore"],
    ["move-to-supabase", { DATABASE_URL: "postgresql://x" }],
  ] as const) {
    const refused = await run(name, [file], target, { ...keys, ...more });
    const reason = /is not encrypted, but this site's backups are\. .* --without-signature\.$/;
    expect(refused).toEqual({ code: 1, said: expect.stringMatching(reason) });
  }
  const old = `${file}.age`;
  await writeFile(old, await encrypt(await readFile(file)));
  const unsigned = expect.stringMatching(/ is not signed\. .* --without-signature\.$/);
  expect(await run("restore", [old, "--yes"], target)).toEqual({ code: 1, said: unsigned });
  const preview = await run("restore", [old, "--without-signature"], target);
  expect(preview).toEqual({ code: 1, said: expect.stringContaining("origin is unproven: no signature was checked.") });
  const restored = await run("restore", [old, "--yes", "--without-signature"], target, keys);
  expect(restored).toEqual({ code: 0, said: expect.stringContaining("is restored: made 20") });
  expect(restored.said).toContain("Not encrypted, although others are: backup-20");
  expect(await readFile(join(target, "backups", "erasures.json"), "utf8")).toContain('"signature": "');
});
