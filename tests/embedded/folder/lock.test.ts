import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DataFolderInUse, lockFolder } from "#supabase/embedded/folder/lock.ts";
import { type BackendProgram, buildBackendProgram } from "../child/spawn-backend.ts";
import { makeEmptyFolder, makeFolder } from "../support/start-backend.ts";
import { isEverything } from "../../support/everything.ts";

const rounds = isEverything ? 20 : 5;

describe("the lock on a data folder", () => {
  let folder: string;
  beforeEach(async () => void (folder = await makeEmptyFolder()));
  afterEach(() => rm(folder, { recursive: true, force: true }));

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

  it("is never held twice while many processes acquire and release it without pause", async () => {
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

  it("names the folder and a remedy when it is held, and is free after release", async () => {
    const held = await lockFolder(folder);
    await expect(lockFolder(folder)).rejects.toThrow(folder);
    await expect(lockFolder(folder)).rejects.toThrow(/Stop the other process/);
    await held.release();
    await (await lockFolder(folder)).release();
  });

  it("works in a folder whose path is too long for a socket", async () => {
    const deep = join(folder, "x".repeat(90), "y".repeat(90));
    await mkdir(deep, { recursive: true });
    const held = await lockFolder(deep);
    await expect(lockFolder(deep)).rejects.toBeInstanceOf(DataFolderInUse);
    await held.release();
    await (await lockFolder(deep)).release();
  });
});

describe("two processes on one folder", () => {
  let program: BackendProgram;
  let folder: string;
  beforeAll(async () => {
    program = await buildBackendProgram();
    folder = await makeFolder();
  });
  afterAll(async () => {
    await program.remove();
    await rm(folder, { recursive: true, force: true });
  });

  it("let one of two concurrent starters run, and a killed one blocks no other", async () => {
    const racers = [1, 2].map(() => program.start(folder));
    const ends = await Promise.all(
      racers.map(async (racer) => ({
        racer,
        outcome: await Promise.race([racer.line("started"), racer.line("refused")]),
      })),
    );
    const winners = ends.filter(({ outcome }) => outcome.startsWith("started"));
    expect(winners).toHaveLength(1);
    for (const { outcome } of ends.filter((end) => !winners.includes(end)))
      expect(outcome).toBe("refused DataFolderInUse");
    await expect(lockFolder(folder)).rejects.toBeInstanceOf(DataFolderInUse);
    await winners[0]?.racer.kill();
    await (await lockFolder(folder)).release();
  });
});
