import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { canMountDisk } from "../support/product";
import { makeDataDir, makeSiteFolder } from "../support/site-folder";
import { canBeRefused, makeForeignFolder, makePublicFolder, runSite, sentenceOf } from "./support/run-site";

// First errors are one sentence for the operator: it names the fault, without a stack or a value.

/** Returns true if any user may listen on port 80, as containers often allow. */
function mayListenOn80(): boolean {
  const first = "/proc/sys/net/ipv4/ip_unprivileged_port_start";
  return !existsSync(first) || Number(readFileSync(first, "utf8")) <= 80;
}

const named = (SITE_ENV: string) => ({ settings: { SITE_ENV } });

describe("the file .env", () => {
  const line = "export PORT='4321' # the port\r\n";

  it.each([
    ["with a byte order mark, as some editors write it", `\ufeff${line}`],
    ["in UTF-16, as PowerShell writes it", Buffer.from(`\ufeff${line}`, "utf16le")],
    ["in big-endian UTF-16", Buffer.from(`\ufeff${line}`, "utf16le").swap16()],
  ])("is read %s", async (_how, envFile) => {
    const { err } = await runSite(["healthcheck"], { envFile });
    expect(err).toMatch(/^No site responds at http:\/\/127\.0\.0\.1:4321 \(/);
  });

  it.each(["serve", "backup", "healthcheck"])(
    "with mistakes makes %s exit with their lines and names, but no value",
    async (word) => {
      const envFile = 'PORT=4321\nADMIN_PASSWORD="secret-1\nDATA_DIR=x\nsecret-2\n';
      const { code, out, err } = await runSite([word], { envFile });
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err.split("\n")).toEqual([
        "The file .env has 2 mistakes:",
        expect.stringMatching(/^- line 2 \(ADMIN_PASSWORD\) has an opening quotation mark/),
        expect.stringMatching(/^- line 4 has no =/),
        "",
      ]);
    },
  );

  it.each<[string, Parameters<typeof runSite>[1], RegExp]>([
    ["a file that does not exist", named("none.env"), /^There is no file none\.env: create it, or set SITE_ENV/],
    ["a folder", named("."), /^\. is a folder: /],
    ["a descriptor that is not open", named("/dev/fd/9999"), /^Cannot read the file \/dev\/fd\/9999 \(EBADF\)/],
    ["another kind of file", named("/dev/zero"), /^\/dev\/zero is no file: /],
    [
      "more than 256 kB",
      { envFile: "#".repeat(256 * 1024 + 1) },
      /^The file \.env is too large: settings fit into 256 kB\.$/,
    ],
  ])("is one sentence for %s", async (_kind, surroundings, sentence) => {
    expect(sentenceOf(await runSite(["healthcheck"], surroundings))).toMatch(sentence);
  });

  it.skipIf(!canBeRefused || process.getuid?.() !== 0)(
    "has the service's name for it when systemd passes it as a credential",
    async () => {
      const folder = await makePublicFolder();
      const settings = { SITE_ENV: join(folder, "site.env"), CREDENTIALS_DIRECTORY: folder };
      await writeFile(settings.SITE_ENV, "PORT", { mode: 0o600 });
      expect((await runSite(["healthcheck"], { settings })).err).toMatch(/^The file site\.env has a mistake:/);
      const refused = await runSite(["healthcheck"], { settings, asNobody: true });
      expect(sentenceOf(refused)).toMatch(/^Cannot read the file site\.env \(EACCES\): .*, whose id is 65534\.$/);
    },
  );
});

// The test packages cannot include an old Node: the minimum version of the product could not install it.
const fakeVersion = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.8" } });`;
const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(fakeVersion)}`;

it.each(["bin/site.mjs", "bin/dev.mjs", "scripts/start.mjs", "scripts/test.mjs", "bin/node-version.mjs"])(
  "rejects an old Node.js in %s before anything else",
  async (program) => {
    const result = await runSite(["serve"], { settings: { NODE_OPTIONS }, program });
    expect(sentenceOf(result)).toMatch(/^This site needs Node\.js 20\.19 or newer, but this is 18\.20\.8/);
  },
);

describe("an unusable port or address", () => {
  it.each(["PORT", "METRICS_PORT"])("is reported as %s when another program uses it", async (name) => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const settings = { PORT: "0", [name]: String(port), DATA_DIR: await makeDataDir() };
    const sentence = sentenceOf(await runSite(["serve"], { settings }));
    other.close();
    expect(sentence).toMatch(
      new RegExp(`^Another program listens on port ${port} \\(EADDRINUSE\\): .* set ${name} to`),
    );
  });

  it.each([
    ["HOST", "nowhere.invalid"],
    ["HOST", "192.0.2.7"],
    ["METRICS_HOST", "nowhere.invalid"],
  ])("is reported as %s when %s is not an address of this machine", async (name, value) => {
    const settings = { PORT: "0", METRICS_PORT: name === "HOST" ? "" : "9", [name]: value };
    const result = await runSite(["serve"], { settings });
    expect(sentenceOf(result)).toMatch(new RegExp(`^${name} is no address that this machine can listen on \\(E`));
    expect(result.err).not.toContain(value);
  });

  it.skipIf(!canBeRefused || mayListenOn80())("is reported as PORT when the user may not listen on it", async () => {
    // This user must be able to create the data folder, which happens first.
    const settings = { PORT: "80", DATA_DIR: join(await makePublicFolder(0o777), "data") };
    const result = await runSite(["serve"], { settings, asNobody: true });
    expect(sentenceOf(result)).toMatch(/^This user may not listen on port 80 \(EACCES\): set PORT to/);
  });
});

const damaged = /\/pg cannot be opened because it is damaged/;
const write = (name: string, content: string | Buffer) => (dataDir: string) => writeFile(join(dataDir, name), content);
const emptyLog = async (dataDir: string) => {
  await rm(join(dataDir, "pg/pg_wal"), { recursive: true });
  await mkdir(join(dataDir, "pg/pg_wal"));
};
const damageAfterBackup = async (dataDir: string) => {
  await mkdir(join(dataDir, "backups"));
  for (const name of ["backups/backup-2026-01-02T03-00-00-000Z.tar.gz", "pg/global/pg_control"])
    await writeFile(join(dataDir, name), "");
};

describe("a data folder", () => {
  /** All open the folder with the same code. */
  const commands = [["serve"], ["backup"], ["admin", "list"]];

  it.skipIf(!canBeRefused).each(commands)("of another user makes %s fail with its name", async (...words) => {
    for (const mode of [0o755, 0o700] as const) {
      const DATA_DIR = await makeForeignFolder(mode);
      const said = sentenceOf(await runSite(words, { settings: { PORT: "0", DATA_DIR }, asNobody: true }));
      expect(said).toMatch(/^The data folder \S+\/foreign cannot be read and written \(EACCES\): .*DATA_DIR.*\.$/m);
    }
  });

  it.skipIf(!canBeRefused).each([
    ["created", 0o755],
    ["reached", 0o700],
  ] as const)("cannot be %s without permission", async (verb, mode) => {
    const DATA_DIR = join(await makeForeignFolder(mode), "data");
    const result = await runSite(["serve"], { settings: { PORT: "0", DATA_DIR }, asNobody: true });
    expect(sentenceOf(result)).toMatch(
      new RegExp(`/foreign/data cannot be ${verb} \\(EACCES\\): .*DATA_DIR.*\\.$`, "m"),
    );
  });

  it.each(commands)("that is a file makes %s fail with its name", async (...words) => {
    const file = join(await makePublicFolder(), "file");
    await writeFile(file, "");
    for (const DATA_DIR of [file, join(file, "data")]) {
      const said = sentenceOf(await runSite(words, { settings: { PORT: "0", DATA_DIR } }));
      expect(said).toMatch(/\/file(?:\/data)? (?:is not a folder|cannot be \w+) \(ENOTDIR\): .*DATA_DIR.*\.$/m);
    }
  });

  it.each<[content: string, prepare: (dataDir: string) => Promise<unknown>, sentence: RegExp]>([
    [
      "files of another PostgreSQL",
      write("PG_VERSION", "15\n"),
      /^The data folder \S+ holds the files of another PostgreSQL:/,
    ],
    [
      "a database of another PostgreSQL",
      write("pg/PG_VERSION", "17\n"),
      /\/pg holds the files of another PostgreSQL \(version 17; this site's is 18\), which cannot be converted: .*DATA_DIR/,
    ],
    ["no database in pg", (dataDir) => rm(join(dataDir, "pg/PG_VERSION")), /\/pg holds no database: move it away/],
    [
      "a damaged database and no backup",
      write("pg/global/pg_control", Buffer.alloc(8192)),
      new RegExp(`${damaged.source} \\(.+\\): no backup is in \\S+/backups\\. .* restore <file`),
    ],
    [
      "a damaged database and a backup",
      damageAfterBackup,
      /\/pg cannot be opened .*: restore the newest backup with `.+ restore \S+03-00-00-000Z\.tar\.gz --replace`\.$/,
    ],
    ["no write-ahead log", emptyLog, damaged],
  ])("with %s makes each command fail with its name", async (_content, prepare, sentence) => {
    for (const word of ["serve", "backup"]) {
      const DATA_DIR = await makeSiteFolder();
      await prepare(DATA_DIR);
      const { code, err, out } = await runSite([word], { settings: { PORT: "0", DATA_DIR } });
      // The database opens after the server starts serving pages, so the output already has log lines.
      expect(sentenceOf({ code, err, out: out.replaceAll(/^\{.*\}\n/gm, "") })).toMatch(sentence);
    }
  });

  it.skipIf(process.getuid?.() !== 0 || !canBeRefused).each([
    ["a file of pg/", "pg/PG_VERSION", "pg/PG_VERSION in the data folder"],
    ["the backups folder", "backups", "^The backups folder \\S+/backups"],
    ["a list of erasures", "backups/erasures.json", "backups/erasures.json in the backups folder"],
  ])("names the owner of %s, and the command that gives it to this user", async (_, name, called) => {
    const DATA_DIR = await makeSiteFolder();
    await mkdir(join(DATA_DIR, "backups"));
    await writeFile(join(DATA_DIR, "backups/erasures.json"), "[]", { mode: 0o600 });
    // A file that cannot be read is no lost database.
    await writeFile(join(DATA_DIR, "started.json"), "{}");
    spawnSync("chown", ["-R", "65534:65534", DATA_DIR]);
    spawnSync("chown", ["root:root", join(DATA_DIR, name)]);
    await chmod(join(DATA_DIR, name), name === "backups" ? 0o755 : 0o600);
    const result = await runSite(["backup"], { settings: { DATA_DIR }, asNobody: true });
    expect(sentenceOf(result)).toMatch(
      new RegExp(`${called} cannot be read and written \\(EACCES\\): root owns it: .*chown -R 65534:65534 ${DATA_DIR}`),
    );
  });

  it.skipIf(!canMountDisk())("on a read-only disk makes the start fail with its name", async () => {
    const disk = await makePublicFolder();
    // One step: in a user namespace a remount is refused where the folder lies on a mount with other options.
    const mount = 'mount -t tmpfs -o ro tmpfs "$1" && DATA_DIR="$2" PORT=0 exec "$3" bin/site.mjs serve';
    for (const DATA_DIR of [disk, join(disk, "data")]) {
      const words = ["--user", "--map-root-user", "--mount", "sh", "-c", mount, "sh", disk, DATA_DIR, process.execPath];
      const { status, stdout, stderr } = spawnSync("unshare", words, { encoding: "utf8" });
      const said = sentenceOf({ code: status, out: stdout, err: stderr });
      expect(said).toMatch(/^The data folder \S+ cannot be .* \(EROFS\): its disk is read-only/);
    }
  });
});
