import { rm, readdir } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BackendProgram, buildBackendProgram } from "./child/spawn-backend.ts";
import { adminEmail, adminPassword, makeEmptyFolder, startTestBackend } from "./start-backend.ts";
import { clientOf } from "./client.ts";

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

  it("during its first initialisation, at any moment, leaves a folder that starts", async () => {
    for (const delay of [60, 500, 1000, 1600, 2300]) {
      const killed = program.start(dataDir);
      await killed.line("starting");
      await new Promise((resolve) => setTimeout(resolve, delay));
      await killed.kill();
    }
    const backend = await startTestBackend({ dataDir, migrations: {} });
    expect(await readdir(dataDir)).not.toContain("pg.init");
    const signIn = await clientOf(backend, backend.publishableKey).auth.signInWithPassword({
      email: adminEmail,
      password: adminPassword,
    });
    expect(signIn.error).toBeNull();
    await backend.close();
  });

  it("in a stream of inserts loses none that it acknowledged", async () => {
    const acknowledged = new Set<number>();
    for (const delay of [400, 900]) {
      const killed = program.start(dataDir);
      await killed.line("started");
      killed.tell("insert for ever");
      await killed.line("stored");
      await new Promise((resolve) => setTimeout(resolve, delay));
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

  it("is not needed to end it: closed, it ends by itself and reports success", async () => {
    const child = program.start(dataDir);
    await child.line("started");
    child.tell("close");
    await child.line("closed");
    expect(await child.ended()).toBe(0);
  });
});
