import { randomBytes } from "node:crypto";
import { copyFile, mkdtemp, readFile, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SpoolFull, SpoolUnreadable, openSpool } from "~/server/spool.server";

const secret = randomBytes(32);
const words = "Grace wrote: we run nine clinics";
let base: string;
let folder: string;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "spool-"));
  folder = join(base, "contact-spool");
});
afterEach(() => rm(base, { recursive: true, force: true }));

const open = (limits = { files: 10, bytes: 10_000 }, key = secret) => openSpool(folder, key, limits);

it("keeps texts for a later process, unreadable for anybody else, and forgets them when told", async () => {
  const first = open();
  await Promise.all([first.keep("one", words), first.keep("two", "💚")]);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  for (const name of await readdir(folder)) {
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    expect((await readFile(join(folder, name))).includes("nine clinics")).toBe(false);
  }
  const second = open();
  expect((await second.list()).toSorted()).toEqual(["one", "two"]);
  expect([await second.read("one"), await second.read("two")]).toEqual([words, "💚"]);
  await second.remove("one");
  await second.remove("one");
  expect([await second.list(), await second.read("one")]).toEqual([["two"], null]);
});

it("finds nothing where nothing was ever kept", async () => {
  expect(await open().list()).toEqual([]);
});

it("refuses a text that was changed, cut, swapped with another or sealed by another secret, and keeps the file", async () => {
  const spool = open();
  await spool.keep("one", words);
  const path = join(folder, "one.sealed");
  const sealed = await readFile(path);
  for (const at of [0, 12, 28, sealed.length - 1]) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    await writeFile(path, changed);
    await expect(spool.read("one"), `byte ${at}`).rejects.toBeInstanceOf(SpoolUnreadable);
  }
  for (const length of [0, 5, 20, sealed.length - 1]) {
    await writeFile(path, sealed.subarray(0, length));
    await expect(spool.read("one"), `${length} bytes`).rejects.toBeInstanceOf(SpoolUnreadable);
  }
  await writeFile(path, sealed);
  await copyFile(path, join(folder, "other.sealed"));
  await expect(spool.read("other")).rejects.toBeInstanceOf(SpoolUnreadable);
  await expect(open(undefined, randomBytes(32)).read("one")).rejects.toBeInstanceOf(SpoolUnreadable);
  expect(await spool.list()).toContain("one");
  expect(await spool.read("one")).toBe(words);
});

it("takes no more files and no more bytes than it may, however many come at once", async () => {
  const few = open({ files: 3, bytes: 10_000 });
  const outcomes = await Promise.allSettled(Array.from({ length: 6 }, (_, i) => few.keep(`k${i}`, words)));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  const refusals = outcomes.filter((outcome) => outcome.status === "rejected");
  for (const { reason } of refusals) expect(reason).toBeInstanceOf(SpoolFull);
  expect(await few.list()).toHaveLength(3);
  await expect(open({ files: 10, bytes: 200 }).keep("late", words)).rejects.toBeInstanceOf(SpoolFull);
  await few.remove("k0");
  await few.keep("again", words);
  expect(await few.list()).toHaveLength(3);
});

it("counts what a killed process left half-written, never reads it, and clears it away after a while", async () => {
  const spool = open({ files: 2, bytes: 10_000 });
  await spool.keep("one", words);
  const half = join(folder, "half.sealed.unfinished");
  await writeFile(half, "half");
  expect(await spool.list()).toEqual(["one"]);
  await expect(spool.keep("two", words)).rejects.toBeInstanceOf(SpoolFull);
  const before = new Date(Date.now() - 120_000);
  await utimes(half, before, before);
  await spool.keep("two", words);
  expect((await readdir(folder)).toSorted()).toEqual(["one.sealed", "two.sealed"]);
});

it("forgets what was kept before a moment, whether or not it can be read, and nothing that came later", async () => {
  const spool = open();
  for (const key of ["old", "unreadable", "new"]) await spool.keep(key, words);
  await writeFile(join(folder, "unreadable.sealed"), "spoilt");
  const longAgo = new Date("2024-01-01T00:00:00Z");
  for (const key of ["old", "unreadable"]) await utimes(join(folder, `${key}.sealed`), longAgo, longAgo);
  expect(await spool.removeKeptBefore(new Date("2023-12-31T00:00:00Z"))).toBe(0);
  expect(await spool.removeKeptBefore(new Date("2024-01-02T00:00:00Z"))).toBe(2);
  expect(await spool.list()).toEqual(["new"]);
});

it("says so when it cannot write, and then holds nothing", async () => {
  await writeFile(folder, "a file where the folder should be");
  await expect(open().keep("one", words)).rejects.toMatchObject({ code: "EEXIST" });
});
