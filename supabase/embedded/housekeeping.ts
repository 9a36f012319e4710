import type { PGlite } from "@electric-sql/pglite";
import { type Repetition, repeat } from "../../app/lib/repeat.ts";
import { stackWithoutMessage, type BackendLog } from "./log.ts";
import type { Mutex } from "./session/mutex.ts";

const hourInMs = 60 * 60 * 1000;

/**
 * Does on a timer what background processes do in a PostgreSQL server; PGlite has none. Without checkpoints the
 * write-ahead log grows as long as the process runs, and a restart after a crash must replay all of it.
 * @returns the timer; `stop` waits for work in progress
 */
export function startHousekeeping(database: PGlite, mutex: Mutex, log: BackendLog): Repetition {
  const work = async () => {
    try {
      await runMaintenance(database, mutex);
    } catch (error) {
      log({ event: "embedded.housekeeping-failed", level: "error", stack: stackWithoutMessage(error) });
    }
  };
  return repeat(work, { everyMs: hourInMs });
}

/**
 * Vacuums one table at a time, so that no request waits for more than one of them, then runs a checkpoint.
 * @throws the first failure, after trying everything
 */
export async function runMaintenance(database: PGlite, mutex: Mutex): Promise<void> {
  const tables = await mutex.run(() => database.query<{ name: string }>(tablesToVacuum));
  const failures: unknown[] = [];
  for (const statement of [...tables.rows.map(({ name }) => `vacuum (analyze) ${name}`), "checkpoint"])
    await mutex.run(() => database.exec(statement)).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

/**
 * Selects tables with a thousand changed rows, beyond which counts and lists are slow to read, and every table not
 * vacuumed for 23 hours. Running once an hour, this overwrites erased rows within a day. PGlite loses these statistics
 * when it stops, so an hour after a start every table is due.
 */
const tablesToVacuum = `
  select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables
  where n_ins_since_vacuum + n_dead_tup >= 1000
    or coalesce(last_vacuum, '-infinity') <= now() - interval '23 hours'`;
