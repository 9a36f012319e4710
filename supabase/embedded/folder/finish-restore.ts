import { mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { isKept, listKept } from "./data-folder.ts";
import { syncFolder } from "./durable-files.ts";

/** The folder in which a restore waits, complete and on the disk: from here on it can only go forward. */
export const readyName = "restore.ready";

/** In the waiting folder: the restored content, and a file that says what it is. */
export const readyParts = { content: "content", plan: "plan.json" };

const planSchema = z.object({
  /** every name in the content, also of what has been put in its place already */
  names: z.array(z.string()),
  /** the folder for what was there before */
  replaced: z.string().regex(/^replaced-[\w-]+$/),
});

/** What `plan.json` holds. */
export type RestorePlan = z.output<typeof planSchema>;

/**
 * Puts a restore that waits in its place, and what was there before into `replaced-…` beside it. Does nothing where
 * none waits. Killed half-way it is completed by being called again, which every start does.
 * Only for the process that holds the folder's lock.
 */
export async function finishRestore(dataDir: string): Promise<void> {
  const ready = join(dataDir, readyName);
  const content = join(ready, readyParts.content);
  const plan = await readPlan(join(ready, readyParts.plan));
  if (plan) {
    const waiting = new Set(await readNames(content));
    for (const name of await listKept(dataDir)) {
      const isRestored = plan.names.includes(name) && !waiting.has(name);
      if (isRestored) continue;
      await mkdir(join(dataDir, plan.replaced), { recursive: true, mode: 0o700 });
      await rename(join(dataDir, name), join(dataDir, plan.replaced, name));
    }
    // Any other name belongs to a running process or to this function, and renaming to it could fail at every start.
    for (const name of [...waiting].filter(isKept)) await rename(join(content, name), join(dataDir, name));
    await syncFolder(dataDir);
  }
  await rm(ready, { recursive: true, force: true });
}

/** Null also for a folder whose removal was interrupted: then everything has long been in its place. */
async function readPlan(path: string): Promise<RestorePlan | null> {
  const text = await readFile(path, "utf8").catch(nullIfAbsent);
  return text === null ? null : planSchema.parse(JSON.parse(text));
}

async function readNames(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(nullIfAbsent)) ?? [];
}

function nullIfAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
