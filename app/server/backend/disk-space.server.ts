import { statfs } from "node:fs/promises";
import { type Repetition, repeat } from "~/lib/repeat";
import type { Settings } from "../config/settings.server";
import type { Log } from "../observability/log.server";

const megabyte = 1024 * 1024;
/** The database takes 16 MB at a time for its log; with less than twice that, what is sent may have no place. */
const fullBytes = 32 * megabyte;
/** Time to do something: a backup takes some tens of megabytes. */
const lowBytes = 512 * megabyte;

/** Room on the disk of a data folder. */
export interface DiskSpace {
  /** what is left for an ordinary user, in bytes */
  freeBytes: number;
  /** `low`: under 512 MB are left; `full`: under 32 MB, and forms may be refused */
  state: "ok" | "low" | "full";
}

/** Reads the room on the disk of a data folder; null while that folder is not there. */
export async function readDiskSpace(dataDir: string): Promise<DiskSpace | null> {
  const space = await statfs(dataDir).catch(() => null);
  if (space === null) return null;
  const freeBytes = space.bavail * space.bsize;
  return { freeBytes, state: freeBytes < fullBytes ? "full" : freeBytes < lowBytes ? "low" : "ok" };
}

/** Reads the same for a site; null where the database is a hosted project's. */
export async function readSiteDisk({ backend, dataDir }: Pick<Settings, "backend" | "dataDir">) {
  return backend.kind === "embedded" ? readDiskSpace(dataDir) : null;
}

/** Tells the operator's log, now and again after so many milliseconds, when the disk of a data folder fills up. */
export function watchDiskSpace(dataDir: string, log: Log, everyMs: number): Repetition {
  async function look(): Promise<void> {
    const space = await readDiskSpace(dataDir);
    if (space === null || space.state === "ok") return;
    const remedy = "free some space, or forms will be refused: docs/OPERATIONS.md, A full disk";
    log.error({ event: `disk.${space.state}`, freeBytes: space.freeBytes, remedy });
  }
  return repeat(look, { firstAfterMs: 0, everyMs });
}
