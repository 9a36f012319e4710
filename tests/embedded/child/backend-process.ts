import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { startEmbeddedBackend } from "#supabase/embedded/embedded-backend.ts";
import { clientOf } from "../support/client.ts";

/** A server in miniature, to be killed: starts on the folder, says so, and then does what standard input asks. */
const [dataDir = ""] = process.argv.slice(2);

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const startedAt = performance.now();
say("starting");
try {
  const backend = await startEmbeddedBackend({
    dataDir,
    siteUrl: "http://localhost:3000",
    admin: { email: "admin@example.org", password: "a-password-for-tests" },
    functions: {},
    migrations: { "1_rows.sql": "create table public.rows (id int generated always as identity, body text)" },
  });
  say(`started ${Math.round(performance.now() - startedAt)} ms ${Math.round(process.memoryUsage().rss / 1e6)} MB`);
  const service = clientOf(backend, backend.secretKey);
  for await (const command of createInterface({ input: process.stdin })) {
    if (command === "insert for ever") {
      for (;;) {
        const { data, error } = await service.from("rows").insert({ body: "kept" }).select("id").single();
        // Messages come one after the other, too: what else the process has to do gets its turn, and so do others beside it.
        await wait(4);
        say(error ? `failed ${error.message}` : `stored ${data.id}`);
      }
    }
    if (command === "close") break;
  }
  process.stdin.destroy();
  await backend.close();
  say("closed");
} catch (error) {
  say(`refused ${error instanceof Error ? error.name : "unknown"}`);
  process.exitCode = 3;
}
