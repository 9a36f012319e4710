import { spawnSync } from "node:child_process";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isEverything } from "../support/everything";
import { canMountDisk } from "../support/product";
import { makeSiteFolder } from "../support/site-folder";
import { canBeRefused, makeForeignFolder, makePublicFolder, runSite, sentenceOf } from "./support/run-site";

const damaged = /\/pg cannot be opened because it is damaged/;
const write = (name: string, content: string | Buffer) => (dataDir: string) => writeFile(join(dataDir, name), content);
const emptyLog = async (dataDir: string) => {
  await rm(join(dataDir, "pg/pg_wal"), { recursive: true });
  await mkdir(join(dataDir, "pg/pg_wal"));
};
const damageAfterBackup = async (dataDir: string) => {
  await mkdir(join(dataDir, "backups"));
  await write("backups/backup-2026-01-02T03-00-00-000Z.tar.gz", "")(dataDir);
  await write("pg/global/pg_control", "")(dataDir);
};

describe("a data folder", () => {
  /** All open the folder with the same code. */
  const commands = isEverything ? [["serve"], ["backup"], ["admin", "list"]] : [["serve"]];

  it.skipIf(!canBeRefused).each(commands)("of another user makes %s fail with its name", async (...words) => {
    for (const mode of [0o755, 0o700] as const) {
      const DATA_DIR = await makeForeignFolder(mode);
      const result = await runSite(words, { settings: { PORT: "0", DATA_DIR }, asNobody: true });
      expect(sentenceOf(result)).toMatch(
        /^The data folder \S+\/foreign cannot be read and written \(EACCES\): .*DATA_DIR.*\.$/m,
      );
    }
  });

  it.skipIf(!canBeRefused)("cannot be created without permission", async () => {
    for (const [mode, problem] of [
      [0o755, "cannot be created"],
      [0o700, "cannot be reached"],
    ] as const) {
      const DATA_DIR = join(await makeForeignFolder(mode), "data");
      const result = await runSite(["serve"], { settings: { PORT: "0", DATA_DIR }, asNobody: true });
      expect(sentenceOf(result)).toMatch(new RegExp(`/foreign/data ${problem} \\(EACCES\\): .*DATA_DIR.*\\.$`, "m"));
    }
  });

  it.each(commands)("that is a file makes %s fail with its name", async (...words) => {
    const file = join(await makePublicFolder(), "file");
    await writeFile(file, "");
    for (const DATA_DIR of [file, join(file, "data")]) {
      const result = await runSite(words, { settings: { PORT: "0", DATA_DIR } });
      expect(sentenceOf(result)).toMatch(
        /\/file(?:\/data)? (?:is not a folder|cannot be \w+) \(ENOTDIR\): .*DATA_DIR.*\.$/m,
      );
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
    for (const word of isEverything ? ["serve", "backup"] : ["backup"]) {
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
    for (const DATA_DIR of isEverything ? [disk, join(disk, "data")] : [disk]) {
      const words = ["--user", "--map-root-user", "--mount", "sh", "-c", mount, "sh", disk, DATA_DIR, process.execPath];
      const { status, stdout, stderr } = spawnSync("unshare", words, { encoding: "utf8" });
      expect(sentenceOf({ code: status, out: stdout, err: stderr })).toMatch(
        /^The data folder \S+ cannot be .* \(EROFS\): its disk is read-only/,
      );
    }
  });
});
