import { rm } from "node:fs/promises";
import { join } from "node:path";
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
  ["backup", ["a", "b"], /Usage: node bin\/site\.mjs backup/],
  ["backup", ["--replace"], /Usage: node bin\/site\.mjs backup/],
  ["backup", [], /There is no database in/],
  ["backup", ["--without-erasures"], /Usage: node bin\/site\.mjs backup/],
  ["verify-backup", [], /^There is no backup in \/\S+\/backups: name a file/],
  ["verify-backup", ["no-such-file.tar.gz"], /no-such-file\.tar\.gz does not exist/],
  ["restore", ["--replace"], /Usage: node bin\/site\.mjs restore/],
  ["restore", ["file", "--force"], /Usage: node bin\/site\.mjs restore/],
  ["move-to-supabase", [], /Set DATABASE_URL/],
  ["admin", ["set-password", "a@example.org", "a phrase as an argument"], /^Accounts of the embedded backend/],
  ["admin", ["revoke"], /^Accounts of the embedded backend/],
  ["admin", ["list", "--even-the-last"], /^Accounts of the embedded backend/],
  ["admin", ["remove", "a@example.org"], /^Accounts of the embedded backend/],
  ["admin", ["list"], /^There is no database in .* Is DATA_DIR right\?/],
] as const)("%s with %j fails with a reason and exit code 1", async (name, words, reason) => {
  expect(await runOperation(name, [...words], { DATA_DIR: folder })).toBe(1);
  expect(takeErrors()).toMatch(reason);
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
