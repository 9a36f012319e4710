import { join } from "node:path";
import { type HeldSnapshot, requestSnapshot } from "../control.ts";
import { removeLeftovers } from "../folder/data-folder.ts";
import { DataFolderInUse, lockFolder } from "../folder/lock.ts";
import { copyDatabase, makeSnapshotFolder, removeSnapshotFolder } from "../folder/snapshot.ts";
import { OperationRefused } from "../operations/operation-refused.ts";
import { withDatabase } from "../operations/read-database.ts";

/**
 * Copies the database of a data folder, as of one moment, through the server that holds the folder, or by locking the
 * folder meanwhile.
 * @throws OperationRefused when the server is starting or stopping
 */
export async function takeSnapshot(dataDir: string): Promise<HeldSnapshot> {
  const lock = await lockFolder(dataDir).catch((error: unknown) => {
    if (error instanceof DataFolderInUse) return null;
    throw error;
  });
  if (!lock) {
    const held = await requestSnapshot(dataDir);
    if (held) return held;
    throw new OperationRefused(`The server on ${dataDir} is starting or stopping. Try again in a moment.`);
  }
  try {
    await removeLeftovers(dataDir);
    const folder = await makeSnapshotFolder(dataDir);
    const files = join(dataDir, "pg");
    await withDatabase(files, (database) => copyDatabase(database, files, join(folder, "pg")));
    return { folder, release: () => removeSnapshotFolder(folder).finally(() => lock.release()) };
  } catch (error) {
    await lock.release();
    throw error;
  }
}
