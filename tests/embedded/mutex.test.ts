import { describe, expect, it } from "vitest";
import { Mutex } from "#supabase/embedded/session/mutex.ts";
import { testAdmin } from "../support/test-admin.ts";
import { addRow, edgeFunction, startTestBackend } from "./support/start-backend.ts";

/** A promise that the test resolves. */
function deferred() {
  let resolve!: () => void;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}

describe("the mutex on the database session", () => {
  it("runs work one at a time, in order, also after a failure", async () => {
    const mutex = new Mutex();
    const seen: string[] = [];
    const work = (name: string) => async () => {
      seen.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, 1));
      seen.push(`${name} ends`);
      if (name === "b") throw new Error("b failed");
    };
    const results = await Promise.allSettled(["a", "b", "c"].map((name) => mutex.run(work(name))));
    expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(seen).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  });

  it("rejects a caller who aborts in the queue immediately, and never runs its work", async () => {
    const mutex = new Mutex();
    const first = deferred();
    const holding = mutex.run(() => first.promise);
    const controller = new AbortController();
    let ran = false;
    const waiting = mutex.run(async () => void (ran = true), controller.signal);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
    first.resolve();
    await holding;
    await mutex.idle();
    expect(ran).toBe(false);
  });

  it("rejects a caller who aborts running work, but starts no other work before it ends", async () => {
    const mutex = new Mutex();
    const first = deferred();
    const controller = new AbortController();
    let finished = false;
    const running = mutex.run(async () => {
      await first.promise;
      finished = true;
    }, controller.signal);
    const next = mutex.run(async () => finished);
    await Promise.resolve();
    controller.abort();
    await expect(running).rejects.toMatchObject({ name: "AbortError" });
    expect(finished).toBe(false);
    first.resolve();
    expect(await next).toBe(true);
  });
});

describe("the backend", () => {
  it("rejects an aborted sign-in at once, which still finishes", async () => {
    const backend = await startTestBackend();
    const running = new AbortController();
    const { signal } = running;
    const signIn = backend.post("/auth/v1/token?grant_type=password", testAdmin, {}, { signal });
    // The password is being hashed now.
    await new Promise((resolve) => setImmediate(resolve));
    running.abort();
    await expect(signIn).rejects.toMatchObject({ name: "AbortError" });
    await expect.poll(() => backend.sql("select count(*)::int as n from auth.sessions")).toEqual([{ n: 1 }]);
    await backend.close();
  });

  it("waits for running work when it closes, then rejects like a lost network; the folder starts again", async () => {
    const held = deferred();
    const backend = await startTestBackend({
      migrations: { "1_rows.sql": `create table public.rows (id int primary key); ${addRow}` },
      functions: {
        slow: edgeFunction(async () => {
          await held.promise;
          return Response.json({ error: (await backend.service.rpc("add_row", { id: 1000 })).error });
        }),
      },
    });
    const slow = backend.fetch(`${backend.url}/functions/v1/slow`);
    const inserts = Array.from({ length: 30 }, async (_, id) => backend.service.rpc("add_row", { id }));
    const closing = backend.close();
    held.resolve();
    await Promise.all([closing, backend.close()]);
    for (const { error } of await Promise.all(inserts)) expect(error).toBeNull();
    expect(await (await slow).json()).toEqual({ error: null });
    await expect(backend.fetch(`${backend.url}/rest/v1/rpc/add_row`)).rejects.toThrow(
      new TypeError("embedded backend is closed"),
    );
    expect((await backend.service.rpc("add_row", { id: 31 })).error?.message).toMatch(/embedded backend is closed/);
    await expect(backend.sql("select 1")).rejects.toThrow(/closed/);

    const again = await startTestBackend({ dataDir: backend.dataDir });
    expect(await again.sql("select count(*) as n from public.rows")).toEqual([{ n: 31 }]);
    await again.close();
  });
});
