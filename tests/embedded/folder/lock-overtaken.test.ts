import { link, rm } from "node:fs/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DataFolderInUse, type FolderLock, lockFolder } from "#supabase/embedded/folder/lock.ts";
import { makeEmptyFolder } from "../support/start-backend.ts";

let folder: string;
beforeEach(async () => void (folder = await makeEmptyFolder()));
afterEach(() => rm(folder, { recursive: true, force: true }));

/**
 * Links as the system does, after others acted between a starter's reading of the folder and its attempt to take a
 * number.
 */
function linkAfter(others: () => Promise<void>): typeof link {
  let acted: Promise<void> | undefined;
  return async (from, to) => {
    await (acted ??= others());
    await link(from, to);
  };
}

it("rejects an overtaken starter even if its number is free again", async () => {
  let other: FolderLock | undefined;
  const others = linkAfter(async () => {
    await (await lockFolder(folder)).release();
    other = await lockFolder(folder);
  });
  await expect(lockFolder(folder, others)).rejects.toBeInstanceOf(DataFolderInUse);
  await other?.release();
  await (await lockFolder(folder)).release();
});

it("takes the next number if another starter took and released its number", async () => {
  const others = linkAfter(async () => (await lockFolder(folder)).release());
  const held = await lockFolder(folder, others);
  await expect(lockFolder(folder)).rejects.toBeInstanceOf(DataFolderInUse);
  await held.release();
});
