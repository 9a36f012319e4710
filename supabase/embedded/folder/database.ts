import { existsSync, fsyncSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { PGlite, PGliteOptions } from "@electric-sql/pglite";
import { renameFolderDurably } from "./durable-files.ts";
import { LibraryChanged } from "../session/library-changed.ts";
import { initializeInChild } from "./initialize.ts";
import { requireOwnDatabase } from "./usable-folder.ts";

/** How the embedded PostgreSQL is started; the same on its very first start and on every later one. */
export const databaseOptions = {
  // PGlite's own list without -F (fsync off). wal_sync_method: its fdatasync, PostgreSQL's default, does nothing.
  startParams: [
    "--single",
    "-O",
    "-j",
    ...settings({
      search_path: "public",
      exit_on_error: "false",
      log_checkpoints: "false",
      max_worker_processes: "0",
      max_parallel_workers: "0",
      max_parallel_workers_per_gather: "0",
      shared_buffers: "8MB",
      // The log's spare segments of 16 MB each; a small site needs few.
      min_wal_size: "32MB",
      max_wal_size: "64MB",
      wal_sync_method: "fsync",
      TimeZone: "UTC",
    }),
  ],
  // As PostgREST answers: timestamps (1114, 1184) in ISO 8601, numeric (1700) as a number even where it ends in zeros.
  parsers: { 1114: toIsoTimestamp, 1184: toIsoTimestamp, 1700: toNumber },
  extensions: { durability: { name: "durability", setup: forwardFsync } },
} satisfies PGliteOptions;

/** Prefix of unfinished databases. Each gets a unique name: the process that makes an earlier one may still be running. */
const draftPrefix = "pg.init";

/**
 * Makes sure that `pg/` holds a complete database, and returns its path.
 *
 * A PostgreSQL folder that was left half-initialized never starts again, so the first one is built as `pg.init…` and
 * gets its name only once it is whole and on the disk.
 * @param signal gives up the making of a first one, which is then made anew the next time
 * @throws DataFolderUnusable when what is there is no database of this site
 */
export async function prepareDatabaseFolder(dataDir: string, signal?: AbortSignal): Promise<string> {
  const folder = join(dataDir, "pg");
  await removeDrafts(dataDir);
  if (existsSync(folder)) {
    requireOwnDatabase(folder);
    return folder;
  }
  // Readable by its owner only (mkdtemp sees to it): its files will hold personal data.
  const draft = await mkdtemp(join(dataDir, `${draftPrefix}-`));
  await initializeInChild(draft, databaseOptions.startParams, signal);
  await renameFolderDurably(draft, folder);
  return folder;
}

/** A killed server's child lives on for a moment and still writes files: hence the retries, four seconds in all. */
async function removeDrafts(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(draftPrefix)) continue;
    await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 8, retryDelay: 110 });
  }
}

function settings(values: Record<string, string>): string[] {
  return Object.entries(values).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/** "2026-02-03 04:05:06.7+00" becomes "2026-02-03T04:05:06.7+00:00"; "infinity" stays as it is. */
function toIsoTimestamp(text: string): string {
  return text.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00");
}

/** "NaN" and "Infinity" have no number in JSON and stay text. */
function toNumber(text: string): number | string {
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
}

interface EmscriptenModule {
  FS: { filesystems?: { NODEFS?: { stream_ops?: { fsync?: (stream: { nfd?: number }) => number } } } };
}

/**
 * PGlite's file system drops fsync, so a committed row could be lost with the power. Hooked in before PostgreSQL
 * starts, because crash recovery already relies on it.
 */
async function forwardFsync(_database: unknown, options: { preRun?: ((module: EmscriptenModule) => void)[] }) {
  return { emscriptenOpts: { ...options, preRun: [...(options.preRun ?? []), addFsync] } };
}

function addFsync(module: EmscriptenModule): void {
  const operations = module.FS.filesystems?.NODEFS?.stream_ops;
  if (!operations) throw new LibraryChanged("@electric-sql/pglite", "FS.filesystems.NODEFS.stream_ops");
  operations.fsync = (stream) => {
    if (typeof stream.nfd === "number") fsyncSync(stream.nfd);
    return 0;
  };
}

/**
 * Checks that PostgreSQL has taken the parameters above: PGlite's own list turns fsync off.
 * @throws LibraryChanged
 */
export async function requireDurability(database: Pick<PGlite, "query">): Promise<void> {
  const { rows } = await database.query<{ fsync: string; method: string }>(
    "select current_setting('fsync') as fsync, current_setting('wal_sync_method') as method",
  );
  if (rows[0]?.fsync !== "on" || rows[0].method !== "fsync")
    throw new LibraryChanged("@electric-sql/pglite", "option startParams");
}
