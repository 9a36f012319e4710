import { existsSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { makeLastingSiteFolder } from "../site-folder";
import { clearFolder, parkedName, pooledPrefix } from "./pooled-folder.mjs";

/** Thread with an open database, and the folder of that. */
interface PooledThread {
  worker: Worker;
  folder: string;
  /** Keeps the thread for the next site. Call it once the site has stopped and its thread still runs. */
  giveBack(): void;
}

/** Threads of stopped sites, the one that has waited longest first. */
const parked: (Omit<PooledThread, "giveBack"> & { key: string })[] = [];

/** Most open databases of stopped sites in this process: each takes a hundred megabytes. */
const mostParked = 3;

/**
 * Takes a thread and a folder for a site like a new one. A stopped site with the same key leaves its open database,
 * with its rows as they were after the first start.
 * @param key all settings that decide how the database is opened
 */
export async function takePooledThread(key: string): Promise<PooledThread> {
  const place = parked.findIndex((thread) => thread.key === key);
  const [same] = place < 0 ? [] : parked.splice(place, 1);
  if (same) await clearFolder(same.folder);
  // A thread with another database closes that first.
  const [oldest] = !same && parked.length >= mostParked ? parked.splice(0, 1) : [];
  const worker = (same ?? oldest)?.worker ?? startThread();
  const folder = same?.folder ?? (await makeLastingSiteFolder(pooledPrefix));
  const giveBack = () => {
    if (existsSync(join(folder, parkedName))) parked.push({ key, folder, worker });
    else void worker.terminate();
  };
  return { worker, folder, giveBack };
}

function startThread(): Worker {
  // With data, the build's file leaves the thread to the entry file.
  const worker = new Worker(new URL("pooled-thread.mjs", import.meta.url), { workerData: { isForTests: true } });
  worker.unref();
  return worker;
}
