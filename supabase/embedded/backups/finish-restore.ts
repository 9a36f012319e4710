import { mkdir, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { z } from "zod";
import { isKept, listKept } from "../folder/data-folder.ts";
import { listNames, readJsonFile, syncFolder } from "../folder/durable-files.ts";
import { adviseRestore } from "../folder/marker.ts";
import { DataFolderUnusable } from "../folder/usable-folder.ts";

/** Folder of a restore that is complete and on disk. From here on the restore can only proceed, not roll back. */
export const readyName = "restore.ready";

/** Inside it: the restored content, and a file that describes it. */
export const readyParts = { content: "content", plan: "plan.json" };

const planSchema = z.object({
  /** every name in the content, including names already moved into place */
  names: z.array(z.string()),
  /** the folder for the previous content */
  replaced: z.string().regex(/^replaced-[\w-]+$/),
});

/** Content of `plan.json`. */
export type RestorePlan = z.output<typeof planSchema>;

/**
 * Moves a ready restore into place, and the previous content into `replaced-…` beside it. Does nothing without a ready
 * restore. Calling it again, as every start does, completes an interrupted run. Only the process that holds the
 * folder's lock may call this.
 * @throws DataFolderUnusable when the plan is damaged; only another restore can then tell which content is whole
 */
export async function finishRestore(dataDir: string): Promise<void> {
  const ready = join(dataDir, readyName);
  const content = join(ready, readyParts.content);
  const plan = await readRestorePlan(dataDir);
  if (plan) {
    const waiting = new Set(await listNames(content));
    for (const name of await listKept(dataDir)) {
      const isRestored = plan.names.includes(name) && !waiting.has(name);
      if (isRestored) continue;
      await mkdir(join(dataDir, plan.replaced), { recursive: true, mode: 0o700 });
      await rename(join(dataDir, name), join(dataDir, plan.replaced, name));
    }
    // Any other name belongs to a running process or to this function; renaming to it could fail at every start.
    for (const name of [...waiting].filter(isKept)) await rename(join(content, name), join(dataDir, name));
    await syncFolder(dataDir);
  }
  await rm(ready, { recursive: true, force: true });
}

/**
 * Reads the plan of a ready restore. Returns null also for a folder whose removal was interrupted: everything is in
 * place by then.
 * @throws DataFolderUnusable when it is damaged, or missing although content waits
 */
async function readRestorePlan(dataDir: string): Promise<RestorePlan | null> {
  const ready = resolve(dataDir, readyName);
  const plan = await readJsonFile(join(ready, readyParts.plan), planSchema).catch((error: unknown) => {
    if (error instanceof Error && "syscall" in error) throw error;
    return "damaged" as const;
  });
  const hasContent = (await listNames(join(ready, readyParts.content))).some(isKept);
  if (plan !== "damaged" && (plan !== null || !hasContent)) return plan;
  const problem = `${ready} holds a restore that was not finished, and its plan is damaged`;
  throw new DataFolderUnusable(`${problem}: ${await adviseRestore(dataDir)}`);
}
