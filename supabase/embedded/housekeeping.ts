import type { PGlite } from "@electric-sql/pglite";
import { type Repetition, repeat } from "../../app/lib/repeat.ts";
import { stackWithoutMessage, type BackendLog } from "./log.ts";
import type { Mutex } from "./session/mutex.ts";

const hourInMs = 60 * 60 * 1000;

/** A database that has seen this many hours of use gets its statistics and its free space seen to. */
const hoursBetweenVacuums = 24;

/**
 * Does by the clock what a PostgreSQL server's background processes do; PGlite has none of them. Without checkpoints
 * the write-ahead log grows for as long as the process runs, and a restart after a crash has to replay all of it.
 * @returns the timer; stopped, it waits for the work under way
 */
export function startHousekeeping(database: PGlite, mutex: Mutex, log: BackendLog): Repetition {
  let hours = 0;
  const work = async () => {
    hours += 1;
    try {
      await keepHouse(database, mutex, hours % hoursBetweenVacuums === 0);
    } catch (error) {
      log({ event: "embedded.housekeeping-failed", level: "error", stack: stackWithoutMessage(error) });
    }
  };
  return repeat(work, { everyMs: hourInMs });
}

/** Checkpoints, and with `thorough` vacuums; table by table, so that no request waits for more than one of them. */
export async function keepHouse(database: PGlite, mutex: Mutex, thorough: boolean): Promise<void> {
  if (thorough) {
    const tables = await mutex.run(() => database.query<{ name: string }>(userTables));
    for (const { name } of tables.rows) await mutex.run(() => database.exec(`vacuum (analyze) ${name}`));
  }
  await mutex.run(() => database.exec("checkpoint"));
}

const userTables = `
  select format('%I.%I', schemaname, tablename) as name from pg_tables
  where schemaname not in ('pg_catalog', 'information_schema')`;
