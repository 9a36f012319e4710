import type { PGlite } from "@electric-sql/pglite";
import type { Mutex } from "./mutex.ts";

/** Puts a transaction's commit into memory only (PostgreSQL, "Asynchronous Commit"); whoever uses it must wait for a flush. */
export const commitInMemory = "set_config('synchronous_commit', 'off', true)";

/** Writes and syncs the write-ahead log as far as it has been made, unless all of it is on the disk. */
const flush = `
  select pg_logical_emit_message(false, 'flush', '', true)
  where pg_current_wal_insert_lsn() > pg_current_wal_flush_lsn()`;

/**
 * Has requests that wait at the same time share one sync of the disk: each commits in memory, and none is answered before
 * the flush that comes after all that was waiting with it.
 */
export class GroupCommit {
  readonly #database: PGlite;
  readonly #mutex: Mutex;
  #next: Promise<void> | undefined;

  constructor(database: PGlite, mutex: Mutex) {
    this.#database = database;
    this.#mutex = mutex;
  }

  /**
   * Resolves once everything that has been committed so far is on the disk.
   * @throws when the disk takes nothing more: what was committed may then be lost
   */
  flush(): Promise<void> {
    this.#next ??= this.#mutex.run(async () => {
      // From here on a commit needs another flush.
      this.#next = undefined;
      await this.#database.exec(flush);
    });
    return this.#next;
  }
}
