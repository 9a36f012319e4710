import { beforeAll, expect, it } from "vitest";
import { addRow, clientOf } from "./support/client.ts";
import { deferred } from "./support/deferred.ts";
import { startTestBackend } from "./support/start-backend.ts";
import { testAdmin } from "../support/test-admin.ts";

const migrations = { "1_rows.sql": `create table public.rows (id int primary key); ${addRow}` };

// Earlier test files in this process may have set an exit code.
beforeAll(() => void (process.exitCode = undefined));

it("rejects an aborted sign-in at once, which still finishes", async () => {
  const backend = await startTestBackend();
  const running = new AbortController();
  const signIn = backend.fetch(`${backend.url}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { apikey: backend.secretKey, "content-type": "application/json" },
    body: JSON.stringify(testAdmin),
    signal: running.signal,
  });
  // The password is being hashed now.
  await new Promise((resolve) => setImmediate(resolve));
  running.abort();
  await expect(signIn).rejects.toMatchObject({ name: "AbortError" });
  const sessions = () => backend.sql<{ n: number }>("select count(*)::int as n from auth.sessions");
  await expect.poll(sessions).toEqual([{ n: 1 }]);
  await backend.remove();
});

it("waits for running work when it closes, then rejects like a lost network; the folder starts again", async () => {
  const held = deferred();
  const backend = await startTestBackend({
    migrations,
    functions: {
      slow: async () => ({
        default: {
          async fetch() {
            await held.promise;
            const { error } = await clientOf(backend, backend.secretKey).rpc("add_row", { id: 1000 });
            return Response.json({ error });
          },
        },
      }),
    },
  });
  const service = clientOf(backend, backend.secretKey);
  const slow = backend.fetch(`${backend.url}/functions/v1/slow`);
  const inserts = Array.from({ length: 30 }, async (_, id) => service.rpc("add_row", { id }));
  const closing = backend.close();
  held.resolve();
  await Promise.all([closing, backend.close()]);
  for (const { error } of await Promise.all(inserts)) expect(error).toBeNull();
  expect(await (await slow).json()).toEqual({ error: null });
  await expect(backend.fetch(`${backend.url}/rest/v1/rpc/add_row`)).rejects.toThrow(
    new TypeError("embedded backend is closed"),
  );
  expect((await service.rpc("add_row", { id: 31 })).error?.message).toMatch(/embedded backend is closed/);
  await expect(backend.sql("select 1")).rejects.toThrow(/closed/);

  const again = await startTestBackend({ dataDir: backend.dataDir });
  expect(await again.sql("select count(*) as n from public.rows")).toEqual([{ n: 31 }]);
  await again.remove();
  expect(process.exitCode).toBeUndefined();
});
