import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databaseOptions } from "#supabase/embedded/folder/database.ts";
import { initializeInChild } from "#supabase/embedded/folder/initialize.ts";
import { type BackendProgram, buildBackendProgram } from "./child/spawn-backend.ts";
import { makeEmptyFolder } from "./support/start-backend.ts";

describe("the very first start", () => {
  let program: BackendProgram;
  let dataDir: string;

  beforeAll(async () => {
    program = await buildBackendProgram();
    dataDir = await makeEmptyFolder();
  });
  afterAll(async () => {
    await program.remove();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Starts, closes, and returns what the process held in MB once it was ready. */
  async function memoryOfOneStart(): Promise<number> {
    const server = program.start(dataDir);
    const megabytes = Number(/ (\d+) MB/.exec(await server.line("started"))?.[1]);
    server.tell("close");
    expect(await server.ended()).toBe(0);
    return megabytes;
  }

  it("holds no more memory than a later one, for initializing is done by a process that ends", async () => {
    const first = await memoryOfOneStart();
    const later = Math.max(await memoryOfOneStart(), await memoryOfOneStart());
    // Initialized in the same process it held over 90 MB more.
    expect(first).toBeLessThan(later + 45);
    expect(first).toBeLessThan(350);
    expect((await readdir(dataDir)).filter((name) => name.startsWith("pg"))).toEqual(["pg"]);
  });

  it("says what PostgreSQL said when it cannot be initialized", async () => {
    const folder = await makeEmptyFolder();
    const file = join(folder, "a-file");
    await writeFile(file, "");
    await expect(initializeInChild(file, databaseOptions.startParams)).rejects.toThrow(
      /not be initialized \(1\)\. .+/s,
    );
    await rm(folder, { recursive: true });
  });
});
