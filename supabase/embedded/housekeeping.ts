import type { PGlite } from "@electric-sql/pglite";
import { type Repetition, repeat } from "../../app/lib/repeat.ts";
import { stackWithoutMessage, type BackendLog } from "./log.ts";
import type { Mutex } from "./session/mutex.ts";

const hourInMs = 60 * 60 * 1000;

/**
 * Does by the clock what a PostgreSQL server's background processes do; PGlite has none of them. Without checkpoints
 * the write-ahead log grows for as long as the process runs, and a restart after a crash has to replay all of it.
 * @returns the timer; stopped, it waits for the work under way
 */
export function startHousekeeping(database: PGlite, mutex: Mutex, log: BackendLog): Repetition {
  const work = async () => {
    try {
      await keepHouse(database, mutex);
    } catch (error) {
      log({ event: "embedded.housekeeping-failed", level: "error", stack: stackWithoutMessage(error) });
    }
  };
  return repeat(work, { everyMs: hourInMs });
}

/**
 * Vacuums what needs it, table by table, so that no request waits for more than one of them; then a checkpoint.
 * @throws the first failure, once all has been tried
 */
export async function keepHouse(database: PGlite, mutex: Mutex): Promise<void> {
  const tables = await mutex.run(() => database.query<{ name: string }>(tablesToVacuum));
  const failures: unknown[] = [];
  for (const statement of [...tables.rows.map(({ name }) => `vacuum (analyze) ${name}`), "checkpoint"])
    await mutex.run(() => database.exec(statement)).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/**
 * Those that changed by a thousand rows, from which on counts and lists are slow to read; and every table that was not vacuumed for
 * 23 hours: asked once an hour, what was erased is overwritten within a day. PGlite forgets these statistics when it stops, so an
 * hour after a start every table is due.
 */
const tablesToVacuum = `
  select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables
  where n_ins_since_vacuum + n_dead_tup >= 1000
    or coalesce(last_vacuum, '-infinity') <= now() - interval '23 hours'`;
