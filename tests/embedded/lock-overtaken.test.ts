import type * as Files from "node:fs/promises";
import { rm } from "node:fs/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DataFolderInUse, type FolderLock, lockFolder } from "#supabase/embedded/folder/lock/lock.ts";
import { makeEmptyFolder } from "./support/start-backend.ts";

/** What the others do between a starter's look at the folder and its attempt to take a number. */
let meanwhile: (() => Promise<void>) | null = null;

vi.mock("node:fs/promises", async (original) => {
  const files = await original<typeof Files>();
  const link: typeof files.link = async (from, to) => {
    const others = meanwhile;
    meanwhile = null;
    await others?.();
    await files.link(from, to);
  };
  return { ...files, link };
});

let folder: string;
let other: FolderLock;
beforeEach(async () => void (folder = await makeEmptyFolder()));
afterEach(() => rm(folder, { recursive: true, force: true }));

it("refuses a starter that others overtook, although the number it saw as free is free again", async () => {
  meanwhile = async () => {
    await (await lockFolder(folder)).release();
    other = await lockFolder(folder);
  };
  await expect(lockFolder(folder)).rejects.toBeInstanceOf(DataFolderInUse);
  await other.release();
  await (await lockFolder(folder)).release();
});

it("takes the next number when the one it saw as free was taken and given back", async () => {
  meanwhile = async () => {
    await (await lockFolder(folder)).release();
  };
  const held = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toBeInstanceOf(DataFolderInUse);
  await held.release();
});
