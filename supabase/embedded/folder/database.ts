import { existsSync, fsyncSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { PGlite, type PGliteOptions } from "@electric-sql/pglite";
import { renameFolderDurably } from "./durable-files.ts";
import type { BackendLog } from "../log.ts";
import { LibraryChanged } from "../session/library-changed.ts";
import { initializeInChild } from "./initialize.ts";
import { requireOwnDatabase } from "./usable-folder.ts";

/** Start options of the embedded PostgreSQL, the same for the first start and every later one. */
export const databaseOptions = {
  // PGlite's own list, without which PostgreSQL may hang silently, but for -F, which turns fsync off. wal_sync_method:
  // PGlite's fdatasync, PostgreSQL's default, does nothing.
  startParams: [
    ...PGlite.defaultStartParams.filter((word) => word !== "-F"),
    ...settings({
      shared_buffers: "8MB",
      // Spare WAL segments have 16 MB each; a small site needs few.
      min_wal_size: "32MB",
      max_wal_size: "64MB",
      wal_sync_method: "fsync",
      TimeZone: "UTC",
    }),
  ],
  // As in PostgREST's responses: timestamps (1114, 1184) in ISO 8601, numeric (1700) as a number even with trailing
  // zeros.
  parsers: { 1114: toIsoTimestamp, 1184: toIsoTimestamp, 1700: toNumber },
  extensions: { durability: { name: "durability", setup: forwardFsync } },
} satisfies PGliteOptions;

/** Making a database takes three to ten seconds. After this time something is likely to be wrong. */
const longMs = 30_000;

/**
 * Ensures that `pg/` holds a complete database, and returns its path.
 *
 * PostgreSQL never starts on a half-initialized folder. A new database is therefore built as `pg.init…` and gets its
 * final name only once it is complete and on disk.
 * @param log receives an event when the creation of a new database takes long
 * @param signal aborts the creation; the next start creates it from the beginning
 * @throws DataFolderUnusable when `pg/` is not a database of this site
 */
export async function prepareDatabaseFolder(dataDir: string, log: BackendLog, signal?: AbortSignal): Promise<string> {
  const folder = join(dataDir, "pg");
  if (existsSync(folder)) {
    requireOwnDatabase(folder);
    return folder;
  }
  // Accessible to its owner only (mkdtemp sets the mode): its files will hold personal data. The name is unique, because
  // the process that makes an earlier draft may still run.
  const draft = await mkdtemp(join(dataDir, "pg.init-"));
  const report = () => log({ event: "embedded.start-waits", level: "warn", cause: "new-database" });
  const timer = setTimeout(report, longMs);
  await initializeInChild(draft, databaseOptions.startParams, signal).finally(() => clearTimeout(timer));
  await renameFolderDurably(draft, folder);
  return folder;
}

function settings(values: Record<string, string>): string[] {
  return Object.entries(values).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/** Converts "2026-02-03 04:05:06.7+00" to "2026-02-03T04:05:06.7+00:00". Leaves "infinity" unchanged. */
function toIsoTimestamp(text: string): string {
  return text.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00");
}

/** Converts to a number. "NaN" and "Infinity" have no representation in JSON and stay text. */
function toNumber(text: string): number | string {
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
}

interface EmscriptenModule {
  NODEFS?: { stream_ops?: { fsync?: (stream: { nfd?: number }) => number } };
}

/**
 * Implements fsync, which PGlite's file system drops: a power cut could lose committed rows. Installed before
 * PostgreSQL starts, because crash recovery already relies on it.
 */
async function forwardFsync(_database: unknown, options: { preRun?: ((module: EmscriptenModule) => void)[] }) {
  return { emscriptenOpts: { ...options, preRun: [...(options.preRun ?? []), addFsync] } };
}

function addFsync(module: EmscriptenModule): void {
  const operations = module.NODEFS?.stream_ops;
  if (!operations) throw new LibraryChanged("NODEFS.stream_ops");
  operations.fsync = (stream) => {
    if (typeof stream.nfd === "number") fsyncSync(stream.nfd);
    return 0;
  };
}

/**
 * Checks that PostgreSQL uses the parameters above, because PGlite's default list turns fsync off.
 * @throws LibraryChanged
 */
export async function requireDurability(database: Pick<PGlite, "query">): Promise<void> {
  const { rows } = await database.query<{ fsync: string; method: string }>(
    "select current_setting('fsync') as fsync, current_setting('wal_sync_method') as method",
  );
  if (rows[0]?.fsync !== "on" || rows[0].method !== "fsync") throw new LibraryChanged("option startParams");
}
