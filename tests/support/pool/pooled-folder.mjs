import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Beginning of the names of folders whose databases stay open. */
export const pooledPrefix = "pooled-";

/** Name of a database that no site uses, so that a test that looks below a stopped site finds none. */
export const parkedName = "pg.parked";

/** Names of what an open backend has in its folder. */
const ofBackend = [parkedName, "secrets.json", "control"];

/**
 * Removes the mails, backups and secrets of a stopped site.
 * @param {string} dataDir
 */
export async function clearFolder(dataDir) {
  const names = (await readdir(dataDir)).filter((name) => !ofBackend.includes(name));
  await Promise.all(names.map((name) => rm(join(dataDir, name), { recursive: true })));
}
