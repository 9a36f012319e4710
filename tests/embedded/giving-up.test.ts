import { beforeAll, describe, expect, it } from "vitest";
import { clientOf } from "./support/client.ts";
import { deferred } from "./support/deferred.ts";
import { startTestBackend } from "./support/start-backend.ts";
import { testAdmin } from "../support/test-admin.ts";

const migrations = { "1_rows.sql": "create table public.rows (id int primary key)" };

// Earlier test files in this process may have set an exit code.
beforeAll(() => void (process.exitCode = undefined));

describe("an aborted request", () => {
  it("never runs if it was queued, and finishes if it was running", async () => {
    const backend = await startTestBackend({ migrations });
    const anon = { apikey: backend.publishableKey, "content-type": "application/json" };
    const sessions = async () => (await backend.sql("select id from auth.sessions")).length;
    const before = await sessions();
    const running = new AbortController();
    const signIn = backend.fetch(`${backend.url}/auth/v1/token?grant_type=password`, {
      method: "POST",
      headers: anon,
      body: JSON.stringify(testAdmin),
      signal: running.signal,
    });
    const waiting = new AbortController();
    const insert = backend.fetch(`${backend.url}/rest/v1/rows`, {
      method: "POST",
      headers: { ...anon, apikey: backend.secretKey },
      body: JSON.stringify({ id: 1 }),
      signal: waiting.signal,
    });
    // The password is being hashed now, which takes far longer than these 10 ms.
    await new Promise((resolve) => setTimeout(resolve, 10));
    running.abort();
    waiting.abort();
    await expect(signIn).rejects.toMatchObject({ name: "AbortError" });
    await expect(insert).rejects.toMatchObject({ name: "AbortError" });
    expect(await sessions()).toBe(before + 1);
    expect(await backend.sql("select id from public.rows")).toEqual([]);
    await backend.remove();
  });
});

describe("closing", () => {
  it("waits for running work, is idempotent, and then rejects like a lost network; the folder starts again", async () => {
    const held = deferred();
    const backend = await startTestBackend({
      migrations,
      functions: {
        slow: async () => ({
          default: {
            async fetch() {
              await held.promise;
              const { error } = await clientOf(backend, backend.secretKey).from("rows").insert({ id: 1000 });
              return Response.json({ error });
            },
          },
        }),
      },
    });
    const service = clientOf(backend, backend.secretKey);
    const slow = backend.fetch(`${backend.url}/functions/v1/slow`);
    const inserts = Array.from({ length: 30 }, async (_, id) => service.from("rows").insert({ id }));
    const closing = backend.close();
    held.resolve();
    await Promise.all([closing, backend.close()]);
    for (const { error } of await Promise.all(inserts)) expect(error).toBeNull();
    expect(await (await slow).json()).toEqual({ error: null });
    await expect(backend.fetch(`${backend.url}/rest/v1/rows`)).rejects.toThrow(
      new TypeError("embedded backend is closed"),
    );
    expect((await service.from("rows").insert({ id: 31 })).error?.message).toMatch(/embedded backend is closed/);
    await expect(backend.sql("select 1")).rejects.toThrow(/closed/);

    const again = await startTestBackend({ dataDir: backend.dataDir });
    expect(await again.sql("select count(*) as n from public.rows")).toEqual([{ n: 31 }]);
    await again.remove();
    expect(process.exitCode).toBeUndefined();
  });
});
