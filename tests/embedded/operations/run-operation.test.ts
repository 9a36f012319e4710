import { execFileSync } from "node:child_process";
import { chown, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { type OperationName, runOperation } from "#supabase/embedded/operations/run-operation.ts";
import { runInProcess } from "../../support/commands/run-in-process.ts";
import { makeDataDir } from "../../support/site-folder.ts";

let folder: string;
beforeEach(async () => void (folder = await makeDataDir()));

const target = { DATABASE_URL: "postgresql://localhost/x" };

/** Runs a command, which must fail. @returns the reason */
async function refusalOf(
  [name, ...words]: readonly [OperationName, ...string[]],
  settings: Record<string, string>,
): Promise<string> {
  const { code, said } = await runInProcess(() => runOperation(name, words, settings));
  expect(code).toBe(1);
  return said;
}

it.each<[command: [OperationName, ...string[]], reason: RegExp]>([
  [["backup"], /There is no database in/],
  [["verify-backup"], /^There is no backup in \/\S+\/backups: name a file/],
  [["verify-backup", "no-such-file.tar.gz"], /no-such-file\.tar\.gz does not exist\.$/],
  [["move-to-supabase"], /Set DATABASE_URL/],
  [["admin", "list"], /^There is no database in .* Is DATA_DIR right\?/],
])("%j fails with a reason and exit code 1", async (command, reason) => {
  expect(await refusalOf(command, { DATA_DIR: folder })).toMatch(reason);
});

it.each<[OperationName, ...string[]]>([["backup"], ["restore", "/b.tar.gz"], ["move-to-supabase"], ["admin", "list"]])(
  "%s without DATA_DIR changes nothing in production, and says how to name the folder",
  async (...command) => {
    const settings = { NODE_ENV: "production", DATA_DIR: " ", ...target };
    expect(await refusalOf(command, settings)).toMatch(
      /^DATA_DIR is not set, so nothing was done\. .*\(DATA_DIR=\/var\/lib\/site …\)/,
    );
  },
);

it.skipIf(process.getuid?.() !== 0).each(["", "pg"])(
  "root changes nothing in a data folder whose folder “%s” is another user's",
  async (name) => {
    await mkdir(join(folder, name), { recursive: true });
    await chown(join(folder, name), 4321, 4321);
    const before = await readdir(folder);
    for (const command of [
      ["backup"],
      ["restore", import.meta.filename],
      ["admin", "list"],
      ["move-to-supabase"],
      ["move-to-supabase", folder],
    ] as const)
      expect(await refusalOf(command, { DATA_DIR: folder, ...target })).toMatch(
        / belongs to the user with the id 4321, .* Run this command as that user\./,
      );
    expect(await readdir(folder)).toEqual(before);
  },
);

it.each<[path: string, make: ((path: string) => unknown) | null, reason: RegExp]>([
  ["folder", (path) => mkdir(path), / is a folder: name one of the backups in it\.$/],
  ["link", (path) => symlink(path, path), / is a link that leads back to itself\.$/],
  ["dangling", (path) => symlink(`${path}-gone`, path), / does not exist\.$/],
  ["pipe", (path) => execFileSync("mkfifo", [path]), / is a device or a pipe: save the backup to a file first\.$/],
  ["/dev/zero", null, / is a device or a pipe: save the backup to a file first\.$/],
  ["file/b.tar.gz", (path) => writeFile(dirname(path), ""), / does not exist: a part of its path is a file\.$/],
  ["x".repeat(300), null, / cannot be read \(ENAMETOOLONG\)\. It may be intact: /],
  ["empty", (path) => writeFile(path, ""), / is damaged, truncated, or not a backup\.$/],
])("a file that cannot be read is not damaged: %s", async (path, make, reason) => {
  const file = resolve(folder, path);
  await make?.(file);
  const settings = { DATA_DIR: join(folder, "data"), ...target };
  for (const name of ["verify-backup", "restore"] as const)
    expect(await refusalOf([name, file], settings)).toMatch(reason);
  // A folder is moved as a site's.
  const moved = refusalOf(["move-to-supabase", file], settings);
  expect(await moved).toMatch(path === "folder" ? /There is no database in/ : reason);
});

it.each(["0", "3651", "a month", "1.5"])("makes no backup with BACKUP_KEEP_DAYS=%s", async (days) => {
  const settings = { DATA_DIR: folder, BACKUP_KEEP_DAYS: days };
  expect(await refusalOf(["backup"], settings)).toMatch(/^BACKUP_KEEP_DAYS must be a whole number from 1 to 3650\.$/);
});
