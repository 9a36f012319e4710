import { readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { basename } from "node:path";

/**
 * Lowers the priority of the thread that calls this: where there are fewer processors than work, pages come first, and a message
 * waits for milliseconds more. Only Linux gives each thread its own (sched(7)); elsewhere nothing is done.
 */
export function giveWayToPages(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(Number(basename(readlinkSync("/proc/thread-self"))), constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Without /proc, or where it is forbidden, all threads are equal.
  }
}
