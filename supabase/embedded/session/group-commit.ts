import { setImmediate as nextTurn } from "node:timers/promises";
import type { PGlite } from "@electric-sql/pglite";
import type { Mutex } from "./mutex.ts";

/** Puts a transaction's commit into memory only (PostgreSQL, "Asynchronous Commit"); whoever uses it must wait for a flush. */
export const commitInMemory = "set_config('synchronous_commit', 'off', true)";

/** Writes and syncs the write-ahead log as far as it has been made, unless all of it is on the disk. */
const flush = `
  select pg_logical_emit_message(false, 'flush', '', true)
  where pg_current_wal_insert_lsn() > pg_current_wal_flush_lsn()`;

/** So many turns of the event loop bring no other commit before a flush; an idle site is through them at once. */
const quietTurns = 3;
/** What comes one after the other for longer than this is shared among several flushes. */
const longestWaitMs = 20;

/**
 * Has requests that are under way at the same time share one sync of the disk: each commits in memory, and none is answered
 * before the flush that comes after all that was waiting with it, and after those that commit while it waits for its turn.
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
   * Resolves once everything that has been committed so far is on the disk.
   * @throws when the disk takes nothing more: what was committed may then be lost
   */
  flush(): Promise<void> {
    this.#commits += 1;
    this.#next ??= this.#begin();
    return this.#next;
  }

  #begin(): Promise<void> {
    const flushed = this.#waitForOthers().then(() =>
      this.#mutex.run(async () => {
        // From here on a commit needs another flush.
        this.#next = undefined;
        await this.#database.query(flush);
      }),
    );
    // A caller that gave up meanwhile does not wait for it, and its failure must not end the thread.
    flushed.catch(() => undefined);
    return flushed;
  }

  /** The disk's sync stops this thread: what has already come is done first. */
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
