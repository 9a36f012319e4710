import { link, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { DataFolderInUse, type FolderLock, lockFolder } from "#supabase/embedded/folder/lock.ts";
import { makeDataDir } from "../../support/site-folder.ts";

const rounds = 20;

let folder: string;
beforeEach(async () => void (folder = await makeDataDir()));

const takeAndRelease = async (path = folder) => (await lockFolder(path)).release();

it("goes to exactly one of many concurrent starters in every round, and leaves one file", async () => {
  for (let round = 0; round < rounds; round += 1) {
    const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder)));
    const held = attempts.filter((attempt) => attempt.status === "fulfilled");
    const refused = attempts.filter((attempt) => attempt.status === "rejected");
    expect(held).toHaveLength(1);
    for (const { reason } of refused) expect(reason).toBeInstanceOf(DataFolderInUse);
    await Promise.all(held.map((attempt) => attempt.value.release()));
  }
  expect(await readdir(folder)).toEqual([`lock.${rounds}`]);
});

it("is never held twice while many starters acquire and release it without pause", async () => {
  let holders = 0;
  let most = 0;
  let taken = 0;
  const contend = async () => {
    while (taken < 3 * rounds) {
      const held = await lockFolder(folder).catch(() => null);
      if (!held) continue;
      holders += 1;
      taken += 1;
      most = Math.max(most, holders);
      await new Promise((resolve) => setTimeout(resolve, taken % 3));
      holders -= 1;
      await held.release();
    }
  };
  await Promise.all(Array.from({ length: 12 }, contend));
  expect(most).toBe(1);
});

it.each([
  ["of any path", ""],
  ["whose path is too long for a socket", join("x".repeat(90), "y".repeat(90))],
])("names a folder %s and a remedy when it is held, and is free after release", async (_, path) => {
  const held = join(folder, path);
  await mkdir(held, { recursive: true });
  const lock = await lockFolder(held);
  await expect(lockFolder(held)).rejects.toThrow(held);
  await expect(lockFolder(held)).rejects.toThrow(/Stop the other process/);
  await lock.release();
  await takeAndRelease(held);
});

/** Links as the system does, after others acted between a starter's reading of the folder and its taking of a number. */
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
    await takeAndRelease();
    other = await lockFolder(folder);
  });
  await expect(lockFolder(folder, others)).rejects.toBeInstanceOf(DataFolderInUse);
  await other?.release();
  await takeAndRelease();
});

it("takes the next number if another starter took and released its number", async () => {
  const held = await lockFolder(folder, linkAfter(takeAndRelease));
  await expect(lockFolder(folder)).rejects.toBeInstanceOf(DataFolderInUse);
  await held.release();
});
