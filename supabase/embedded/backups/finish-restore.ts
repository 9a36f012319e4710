import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { isKept, listKept } from "../folder/data-folder.ts";
import { listNames, syncFolder } from "../folder/durable-files.ts";

/**
 * Names the folder of a restore that is complete and on disk. From here on the restore can only proceed, not roll back.
 * `ready`: the previous content has yet to move away. `moving`: it is away, and the restored content moves in.
 * @param replaced name of the folder for the previous content
 */
export function nameRestore(state: "ready" | "moving", replaced: string): string {
  return `restore.${state}.${replaced}`;
}

const restoreName = /^restore\.(ready|moving)\.(replaced-[\w-]+)$/;

/**
 * Moves a ready restore into place, and the previous content into `replaced-…` beside it. Does nothing without a ready
 * restore. Calling it again, as every start does, completes an interrupted run. Only the process that holds the
 * folder's lock may call this.
 */
export async function finishRestore(dataDir: string): Promise<void> {
  for (const name of await listNames(dataDir)) {
    const [, state, replaced] = restoreName.exec(name) ?? [];
    if (replaced === undefined) continue;
    const moving = join(dataDir, nameRestore("moving", replaced));
    if (state === "ready") {
      for (const previous of await listKept(dataDir)) {
        await mkdir(join(dataDir, replaced), { recursive: true, mode: 0o700 });
        await rename(join(dataDir, previous), join(dataDir, replaced, previous));
      }
      await syncFolder(dataDir);
      await rename(join(dataDir, name), moving);
    }
    // Any other name belongs to a running process or to this function; renaming to it could fail at every start.
    for (const restored of (await listNames(moving)).filter(isKept))
      await rename(join(moving, restored), join(dataDir, restored));
    await syncFolder(dataDir);
    await rm(moving, { recursive: true, force: true });
  }
}
