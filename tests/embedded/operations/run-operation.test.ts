import { execFileSync } from "node:child_process";
import { chown, mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { runOperation } from "#supabase/embedded/operations/run-operation.ts";
import { makeEmptyFolder } from "../support/start-backend.ts";

let folder: string;
beforeEach(async () => void (folder = await makeEmptyFolder()));
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Returns and clears the output on standard error, which the test setup would report otherwise. */
function takeErrors(): string {
  const text = vi.mocked(console.error).mock.calls.join("\n");
  vi.mocked(console.error).mockClear();
  return text;
}

it.each([
  ["backup", [], /There is no database in/],
  ["verify-backup", [], /^There is no backup in \/\S+\/backups: name a file/],
  ["verify-backup", ["no-such-file.tar.gz"], /no-such-file\.tar\.gz does not exist\.$/],
  ["move-to-supabase", [], /Set DATABASE_URL/],
  ["admin", ["list"], /^There is no database in .* Is DATA_DIR right\?/],
] as const)("%s with %j fails with a reason and exit code 1", async (name, words, reason) => {
  expect(await runOperation(name, [...words], { DATA_DIR: folder })).toBe(1);
  expect(takeErrors()).toMatch(reason);
});

it.each(["backup", "restore", "move-to-supabase", "admin"] as const)(
  "%s without DATA_DIR changes nothing in production, and says how to name the folder",
  async (name) => {
    const words = { restore: [join(folder, "b.tar.gz")], admin: ["list"] }[name as string] ?? [];
    const settings = { NODE_ENV: "production", DATA_DIR: " ", DATABASE_URL: "postgresql://localhost/x" };
    expect(await runOperation(name, words, settings)).toBe(1);
    expect(takeErrors()).toMatch(/^DATA_DIR is not set, so nothing was done\. .*\(DATA_DIR=\/var\/lib\/site …\)/);
  },
);

it.skipIf(process.getuid?.() !== 0).each(["folder", "database"])(
  "root changes nothing in a data folder whose %s is another user's",
  async (place) => {
    if (place === "database") await mkdir(join(folder, "pg"));
    await chown(place === "database" ? join(folder, "pg") : folder, 4321, 4321);
    const before = await readdir(folder);
    for (const [name, words] of [
      ["backup", []],
      ["restore", [import.meta.filename]],
      ["admin", ["list"]],
      ["move-to-supabase", []],
      ["move-to-supabase", [folder]],
    ] as const) {
      const settings = { DATA_DIR: folder, DATABASE_URL: "postgresql://localhost/x" };
      expect(await runOperation(name, [...words], settings)).toBe(1);
      expect(takeErrors()).toMatch(/ belongs to the user with the id 4321, .* Run this command as that user\./);
    }
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
  const settings = { DATA_DIR: join(folder, "data"), DATABASE_URL: "postgresql://localhost/x" };
  for (const name of ["verify-backup", "restore", "move-to-supabase"] as const) {
    if (name === "move-to-supabase" && path === "folder") continue;
    expect(await runOperation(name, [file], settings)).toBe(1);
    expect(takeErrors()).toMatch(reason);
  }
});

it.each(["0", "3651", "a month", "1.5"])(
  "makes no backup with BACKUP_KEEP_DAYS=%s, and states the range",
  async (days) => {
    expect(await runOperation("backup", [], { DATA_DIR: folder, BACKUP_KEEP_DAYS: days })).toBe(1);
    expect(takeErrors()).toBe("BACKUP_KEEP_DAYS must be a whole number from 1 to 3650.");
  },
);

it("moves nothing from a folder that does not exist", async () => {
  const settings = { DATA_DIR: join(folder, "none"), DATABASE_URL: "postgresql://localhost/x" };
  expect(await runOperation("move-to-supabase", [], settings)).toBe(1);
  expect(takeErrors()).toMatch(/none does not exist/);
});
