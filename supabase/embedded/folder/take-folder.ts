import { removeLeftovers } from "./data-folder.ts";
import { finishRestore } from "../backups/finish-restore.ts";
import { requireNoLoss } from "./marker.ts";
import { makeDataFolder } from "./usable-folder.ts";
import { type FolderLock, lockFolder } from "./lock.ts";

/**
 * Locks a data folder, created if absent, for this process, and moves a ready restore into place, so that later reads
 * see the final content. It loads nothing of the database, so it can run before everything else.
 * @throws DataFolderInUse when another process (or this one) holds the folder
 * @throws DataFolderUnusable when this user cannot use it, its database is lost, or a restore of it broke off
 */
export async function takeDataFolder(dataDir: string): Promise<FolderLock> {
  makeDataFolder(dataDir);
  const lock = await lockFolder(dataDir);
  try {
    await removeLeftovers(dataDir);
    await finishRestore(dataDir);
    await requireNoLoss(dataDir);
    return lock;
  } catch (error) {
    await lock.release();
    throw error;
  }
}
