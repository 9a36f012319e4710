import { removeLeftovers } from "./data-folder.ts";
import { finishRestore } from "./finish-restore.ts";
import { makeDataFolder } from "./usable-folder.ts";
import { type FolderLock, lockFolder } from "./lock.ts";

/**
 * Takes a data folder for this process, made if absent, and puts a restore that waits there in its place: whatever is
 * read from it afterwards is what will stay. It loads nothing of the database, so it can come before everything else.
 * @throws DataFolderInUse when another process (or this one) holds the folder
 * @throws DataFolderUnusable when this user cannot use it
 */
export async function takeDataFolder(dataDir: string): Promise<FolderLock> {
  makeDataFolder(dataDir);
  const lock = await lockFolder(dataDir);
  try {
    await removeLeftovers(dataDir);
    await finishRestore(dataDir);
    return lock;
  } catch (error) {
    await lock.release();
    throw error;
  }
}
