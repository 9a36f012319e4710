import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeSigningKey, signContent } from "#supabase/embedded/backups/signature";
import { makeBackup } from "#supabase/embedded/backups/backup";
import { packFolder } from "#supabase/embedded/backups/archive";
import { encryptStream, makeKey } from "#supabase/embedded/backups/encryption";
import { makeManifest } from "#supabase/embedded/backups/manifest";
import { type OperationName, runOperation } from "#supabase/embedded/operations/run-operation";
import { runInProcess } from "../support/commands/run-in-process";
import { startS3, type S3Server } from "../support/servers/s3-server";
import { makeDataDir, makeSiteFolder } from "../support/site-folder";
import { testAdmin } from "../support/test-admin";

const address = "s3://firm-backups/site";
let s3: S3Server;
let keys: { recipient: string; signingKey: string };
/** the operator's key file */
let keyFile: string;
/** the site's folder, and a folder for an attacker's backups */
let dataDir: string;
let planted: string;
/** content of the bucket before the attacker writes to it, by name */
let genuine: Map<string, Buffer>;

beforeAll(async () => {
  s3 = await startS3("firm-backups");
  [dataDir, planted] = await Promise.all([makeSiteFolder(), makeDataDir()]);
  const { signingKey, verifyingKey } = makeSigningKey();
  const { identity, recipient } = await makeKey();
  keys = { recipient, signingKey };
  keyFile = `# made today\n# ${verifyingKey}\n${identity}\n`;
  const settings = { BACKUP_TO: address, BACKUP_RECIPIENT: recipient, BACKUP_SIGNING_KEY: signingKey };
  await run("admin", ["grant", testAdmin.email], dataDir);
  await run("backup", [], dataDir, settings);
  genuine = new Map(s3.objects);
});
afterAll(() => s3.close());

const run = (name: OperationName, words: string[], folder: string, settings: Record<string, string> = {}) =>
  runInProcess(() => runOperation(name, words, { DATA_DIR: folder, ...s3.settings, ...settings }), keyFile);

const encrypt = async (plain: Uint8Array) => buffer(await encryptStream(Readable.from([plain]), [keys.recipient]));

/** Fills the bucket with the site's own objects, and with objects planted by an attacker with write access. */
function plant(objects: Record<string, Buffer>): void {
  s3.objects.clear();
  for (const [key, content] of genuine) s3.objects.set(key, content);
  for (const [name, content] of Object.entries(objects)) s3.objects.set(`site/${name}`, content);
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
  await packFolder(content, join(planted, name), isPlain ? [] : [keys.recipient], async () => undefined);
  return readFile(join(planted, name));
}

const nameAt = (madeAt: string, suffix: string) => `backup-${madeAt.replaceAll(/[:.]/g, "-")}.tar.gz${suffix}`;
const asBytes = (content: object) => Buffer.from(JSON.stringify(content));
const openList = { format: 1, completeUntil: new Date().toISOString(), erasures: [] };

it("rejects an unencrypted backup and an unencrypted list of erasures planted in the bucket", async () => {
  const name = nameAt("2099-01-01T00:00:00.000Z", "");
  const plain = await forge("plain", undefined, "2099-01-01T00:00:00.000Z", true);
  const list = asBytes({ ...openList, completeUntil: "2099-01-01T00:00:00.000Z" });
  plant({ [name]: plain, "erasures.json.age": list });
  const target = await makeDataDir();
  const restore = (from = address) => run("restore", [from, "--yes"], target);
  expect(await restore()).toEqual({
    code: 1,
    said: expect.stringMatching(/erasures\.json\.age is not encrypted, .*\.$/),
  });
  expect(await restore(`${address}/${name}`)).toEqual({
    code: 1,
    said: `${name} is not encrypted: this site puts only encrypted backups into a bucket.`,
  });
  const disguised = nameAt(new Date(Date.now() + 60_000).toISOString(), ".age");
  plant({ [disguised]: plain });
  expect((await restore()).said).toContain(`${disguised} is not encrypted`);
  plant({ [name]: plain });
  const verified = await run("verify-backup", [address], target);
  expect(verified).toEqual({ code: 0, said: expect.stringMatching(/backup-20[^9].*is intact: made 20/) });
  expect(verified.said).toContain(`Not encrypted, although others are: ${name}.`);
  expect((await readdir(target)).filter((each) => !each.startsWith("lock."))).toEqual([]);
});

it("rejects a backup or list encrypted for the firm but not signed by its server", async () => {
  const at = new Date(Date.now() + 60_000).toISOString();
  const name = nameAt(at, ".age");
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
  expect((await readdir(target)).filter((name) => !name.startsWith("lock."))).toEqual([]);
});

it("rejects unencrypted and unsigned backups on a site that encrypts its own, unless the operator overrides it", async () => {
  const folder = await makeDataDir();
  const { file } = await makeBackup(await makeSiteFolder(), folder);
  const settings = { BACKUP_RECIPIENT: keys.recipient, BACKUP_SIGNING_KEY: keys.signingKey };
  const target = await makeDataDir();
  await mkdir(join(target, "backups"));
  for (const [name, more] of [
    ["verify-backup"],
    ["restore"],
    ["move-to-supabase", { DATABASE_URL: "postgresql://x" }],
  ] as const) {
    const refused = await run(name, [file], target, { ...settings, ...more });
    expect(refused).toEqual({
      code: 1,
      said: expect.stringMatching(/is not encrypted, but this site's backups are\. .* --without-signature\.$/),
    });
  }
  const old = `${file}.age`;
  await writeFile(old, await encrypt(await readFile(file)));
  const words = [old, "--yes"];
  expect(await run("restore", words, target)).toEqual({
    code: 1,
    said: expect.stringMatching(/ is not signed\. .* --without-signature\.$/),
  });
  const preview = await run("restore", [old, "--without-signature"], target);
  expect(preview).toEqual({ code: 1, said: expect.stringContaining("origin is unproven: no signature was checked.") });
  const restored = await run("restore", [...words, "--without-signature"], target, settings);
  expect(restored).toEqual({ code: 0, said: expect.stringContaining("is restored: made 20") });
  expect(restored.said).toContain("Not encrypted, although others are: backup-20");
  expect(await readFile(join(target, "backups", "erasures.json"), "utf8")).toContain('"signature": "');
});
