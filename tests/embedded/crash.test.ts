import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BackendProgram, buildBackendProgram } from "./child/spawn-backend.ts";
import { makeEmptyFolder, startTestBackend } from "./support/start-backend.ts";

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** The dangerous moment: the files of the new database are being written, whatever the folder is called. */
async function waitForDatabaseFiles(dataDir: string): Promise<void> {
  for (;;) {
    const entries = await readdir(dataDir, { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory() && entry.name.startsWith("pg"));
    const contents = await Promise.all(folders.map((folder) => readdir(join(dataDir, folder.name))));
    if (contents.some((names) => names.length > 0)) return;
    await wait(1);
  }
}

/** What a process held in MB once it was ready. */
const memoryOf = (started: string) => Number(/ (\d+) MB/.exec(started)?.[1]);

describe("a process that is killed", () => {
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

  it.each([
    ["at the first of the database's files", () => waitForDatabaseFiles(dataDir)],
    ["amid the database's files", () => waitForDatabaseFiles(dataDir).then(() => wait(40))],
  ])(
    "during its first initialization, %s, leaves a folder that starts, in no more memory than a later time",
    async (_, moment) => {
      await rm(dataDir, { recursive: true });
      await mkdir(dataDir);
      const killed = program.start(dataDir);
      await killed.line("starting");
      await moment();
      await killed.kill();
      const memory: number[] = [];
      for (let start = 0; start < 2; start++) {
        const next = program.start(dataDir);
        memory.push(memoryOf(await next.line("started")));
        expect((await readdir(dataDir)).filter((name) => name.startsWith("pg"))).toEqual(["pg"]);
        next.tell("close");
        expect(await next.ended()).toBe(0);
      }
      // Initialized in the same process, and not in one that ends, it held over 90 MB more.
      const [first = Infinity, later = 0] = memory;
      expect(first).toBeLessThan(later + 45);
      expect(first).toBeLessThan(350);
    },
  );

  it("in a stream of inserts loses none that it acknowledged", async () => {
    const acknowledged = new Set<number>();
    for (const delay of [400, 900]) {
      const killed = program.start(dataDir);
      await killed.line("started");
      killed.tell("insert for ever");
      await killed.line("stored");
      await wait(delay);
      await killed.kill();
      for (const line of killed.lines) if (line.startsWith("stored ")) acknowledged.add(Number(line.slice(7)));
    }
    const backend = await startTestBackend({ dataDir });
    const stored = await backend.sql<{ id: number }>("select id from public.rows");
    await backend.close();
    const present = new Set(stored.map((row) => row.id));
    expect([...acknowledged].filter((id) => !present.has(id))).toEqual([]);
    expect(acknowledged.size).toBeGreaterThan(20);
  });
});
