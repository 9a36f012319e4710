import { stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { backupsFolder } from "#supabase/embedded/folder/data-folder";
import { type Repetition, repeat } from "~/lib/repeat";
import type { Settings } from "../config/settings.server";
import type { DiskState } from "../observability/health.server";
import type { Log } from "../observability/log.server";

const megabyte = 1024 * 1024;
/** The database grows its write-ahead log 16 MB at a time; below twice that, a form may not fit. */
const fullBytes = 32 * megabyte;
/** Leaves time to act: a backup takes some tens of megabytes. */
const lowBytes = 512 * megabyte;

/** Free space on the disk of a data folder. */
export interface DiskSpace {
  /** bytes available to an unprivileged user */
  freeBytes: number;
  state: DiskState;
}

/** Reads the free space on the disk of a data folder; null while the folder does not exist. */
export async function readDiskSpace(dataDir: string): Promise<DiskSpace | null> {
  const space = await statfs(dataDir).catch(() => null);
  if (space === null) return null;
  const freeBytes = space.bavail * space.bsize;
  return { freeBytes, state: freeBytes < fullBytes ? "full" : freeBytes < lowBytes ? "low" : "ok" };
}

/** Reads the same for a site; null if the database belongs to a hosted project. */
export async function readSiteDisk({ backend, dataDir }: Pick<Settings, "backend" | "dataDir">) {
  return backend.kind === "embedded" ? readDiskSpace(dataDir) : null;
}

/** Reads the free space for backups; null while they are on the data folder's own disk, or there are none. */
export async function readBackupsDisk(dataDir: string): Promise<DiskSpace | null> {
  const folder = join(dataDir, backupsFolder);
  const [data, backups] = await Promise.all([dataDir, folder].map((path) => stat(path).catch(() => null)));
  return backups === null || data?.dev === backups?.dev ? null : readDiskSpace(folder);
}

/** Logs low disk space: immediately, then every `everyMs` milliseconds. */
export function watchDiskSpace(dataDir: string, log: Log, everyMs: number): Repetition {
  async function check(): Promise<void> {
    const [data, backups] = await Promise.all([readDiskSpace(dataDir), readBackupsDisk(dataDir)]);
    const remedy = "free some space, or forms will be rejected: docs/operations/trouble.md, “A full disk”";
    if (data && data.state !== "ok") log.error({ event: `disk.${data.state}`, freeBytes: data.freeBytes, remedy });
    if (backups && backups.state !== "ok")
      log.error({ event: "disk.low", freeBytes: backups.freeBytes, remedy: "free some space on the backups' disk" });
  }
  return repeat(check, { firstAfterMs: 0, everyMs });
}
