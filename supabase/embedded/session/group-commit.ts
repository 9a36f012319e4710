import { setImmediate as nextTurn } from "node:timers/promises";
import type { PGlite } from "@electric-sql/pglite";
import type { Mutex } from "./mutex.ts";

/** Makes a transaction commit in memory only (PostgreSQL, "Asynchronous Commit"). The caller must wait for a flush. */
export const commitInMemory = "set_config('synchronous_commit', 'off', true)";

/** Writes and syncs the write-ahead log up to its end, unless all of it is on disk. */
const flush = `
  select pg_logical_emit_message(false, 'flush', '', true)
  where pg_current_wal_insert_lsn() > pg_current_wal_flush_lsn()`;

/**
 * The flush starts after this many turns of the event loop without another commit. An idle site passes them
 * immediately.
 */
const quietTurns = 3;
/** Longest delay of a flush. A longer series of commits takes several flushes. */
const longestWaitMs = 20;

/**
 * Makes concurrent requests share one fsync. Each request commits in memory, and its response waits for the flush that
 * covers its commit. A flush also covers commits made while it waits for the mutex.
 */
export class GroupCommit {
  readonly #database: PGlite;
  readonly #mutex: Mutex;
  #next: Promise<void> | undefined;
  #commits = 0;

  constructor(database: PGlite, mutex: Mutex) {
    this.#database = database;
    this.#mutex = mutex;
  }

  /**
   * Resolves once all earlier commits are on disk.
   * @throws when the disk is full or fails: earlier commits may then be lost
   */
  flush(): Promise<void> {
    this.#commits += 1;
    this.#next ??= this.#begin();
    return this.#next;
  }

  #begin(): Promise<void> {
    const flushed = this.#waitForOthers().then(() =>
      this.#mutex.run(async () => {
        // Later commits need another flush.
        this.#next = undefined;
        await this.#database.query(flush);
      }),
    );
    // An aborted caller does not await this promise; a failure must not end the thread as an unhandled rejection.
    flushed.catch(() => undefined);
    return flushed;
  }

  /** Waits for further commits first, because the sync blocks this thread. */
  async #waitForOthers(): Promise<void> {
    const until = performance.now() + longestWaitMs;
    let seen = this.#commits;
    for (let quiet = 0; quiet < quietTurns && performance.now() < until; quiet += 1) {
      await nextTurn();
      if (this.#commits === seen) continue;
      seen = this.#commits;
      quiet = -1;
    }
  }
}
