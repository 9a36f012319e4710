import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { startEmbeddedBackend } from "#supabase/embedded/embedded-backend.ts";
import { clientOf } from "../support/client.ts";

/**
 * A miniature server to be killed: starts on the folder, prints that it has, and then runs the commands on standard
 * input.
 */
const [dataDir = ""] = process.argv.slice(2);

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const startedAt = performance.now();
print("starting");
try {
  const backend = await startEmbeddedBackend({
    dataDir,
    siteUrl: "http://localhost:3000",
    admin: { email: "admin@example.org", password: "a-password-for-tests" },
    functions: {},
    migrations: {
      "1_rows.sql": `create table public.rows (id int generated always as identity, body text);
        create function public.add_row() returns int language sql set search_path = '' as
          $$ insert into public.rows (body) values ('kept') returning id $$;`,
    },
  });
  print(`started ${Math.round(performance.now() - startedAt)} ms ${Math.round(process.memoryUsage().rss / 1e6)} MB`);
  const service = clientOf(backend, backend.secretKey);
  for await (const command of createInterface({ input: process.stdin })) {
    if (command === "insert for ever") {
      for (;;) {
        const { data, error } = await service.rpc("add_row");
        // Messages do not arrive without pause either: yield to this process's other work, and to other processes.
        await wait(10);
        print(error ? `failed ${error.message}` : `stored ${data}`);
      }
    }
    if (command === "close") break;
  }
  process.stdin.destroy();
  await backend.close();
  print("closed");
} catch (error) {
  print(`refused ${error instanceof Error ? error.name : "unknown"}`);
  process.exitCode = 3;
}
