import { statfs } from "node:fs/promises";
import { isClockDoubted } from "#supabase/embedded/folder/clock-watch";
import type { Settings } from "../config/settings.server";

const megabyte = 1024 * 1024;
/** The database takes 16 MB at a time for its log; with less than twice that, what is sent may have no place. */
const fullBytes = 32 * megabyte;
/** Time to do something: a backup takes some tens of megabytes. */
const lowBytes = 512 * megabyte;

/** What the machine owes to a site that keeps its data there. */
export interface MachineHealth {
  /** what is left for an ordinary user on the disk of the data folder, in bytes */
  freeBytes: number;
  /** `low`: under 512 MB are left; `full`: under 32 MB, and forms may be refused */
  disk: "ok" | "low" | "full";
  /** `doubted`: it has jumped by more than two weeks, and nothing is deleted by it for a day */
  clock: "trusted" | "doubted";
}

/**
 * Looks at the disk and at what is known of the clock.
 * @returns null where the database is a hosted project's, or the folder cannot be looked at (it is not there yet)
 */
export async function readMachineHealth({
  backend,
  dataDir,
}: Pick<Settings, "dataDir"> & { backend: { kind: string } }): Promise<MachineHealth | null> {
  if (backend.kind !== "embedded") return null;
  const space = await statfs(dataDir).catch(() => null);
  if (space === null) return null;
  const freeBytes = space.bavail * space.bsize;
  const disk = freeBytes < fullBytes ? "full" : freeBytes < lowBytes ? "low" : "ok";
  return { freeBytes, disk, clock: (await isClockDoubted(dataDir, Date.now())) ? "doubted" : "trusted" };
}
