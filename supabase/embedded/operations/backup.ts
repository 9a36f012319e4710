import { mkdir, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import packageJson from "../../../package.json" with { type: "json" };
import { type HeldSnapshot, requestSnapshot } from "../control.ts";
import { copyTree } from "../folder/copy-tree.ts";
import { backupsFolder, isKept, removeLeftovers } from "../folder/data-folder.ts";
import { DataFolderInUse, lockFolder } from "../folder/lock.ts";
import { copyDatabase, makeSnapshotFolder, removeSnapshotFolder } from "../folder/snapshot.ts";
import { packFolder } from "./archive.ts";
import { describeFiles, makeManifest, type Manifest, manifestName } from "./manifest.ts";
import { OperationRefused } from "./operation-refused.ts";
import { digestDatabase, withDatabase } from "./read-database.ts";

/** A backup that was made. */
export interface Backup {
  file: string;
  bytes: number;
  manifest: Manifest;
}

/**
 * Writes one archive of everything in a data folder that has to be kept, as of one moment, whether or not the server
 * runs. A running server stands still for the copying only; all else happens in the calling process.
 * @param file defaults to a name with the time in `backups/` of the data folder
 * @throws OperationRefused when there is nothing to back up, the file exists, or the server is just starting or stopping
 */
export async function makeBackup(dataDir: string, file?: string): Promise<Backup> {
  const source = resolve(dataDir);
  if (!(await exists(join(source, "pg")))) throw new OperationRefused(`There is no database in ${source}.`);
  const madeAt = new Date().toISOString();
  const target = resolve(file ?? join(source, backupsFolder, `backup-${madeAt.replaceAll(/[:.]/g, "-")}.tar.gz`));
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const snapshot = await takeSnapshot(source);
  try {
    const content = join(snapshot.folder, "content");
    // After the database: mail files are written before the database calls their mail delivered. Drafts, which are
    // about to get their name or to vanish, stay out at every depth.
    await copyTree(source, content, (path) => isKept(basename(path)) && path !== join(source, "pg"));
    await copyTree(join(snapshot.folder, "pg"), join(content, "pg"), () => true);
    const files = await describeFiles(content);
    // Read from a second copy, because starting a database changes its files.
    const database = await digestDatabase(join(snapshot.folder, "pg"));
    const manifest = makeManifest({ productVersion: packageJson.version, madeAt, ...database, files });
    await writeFile(join(content, manifestName), `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600 });
    await packFolder(content, target);
    return { file: target, bytes: (await stat(target)).size, manifest };
  } finally {
    await snapshot.release();
  }
}

/** From the server that holds the folder, else by holding it meanwhile. */
async function takeSnapshot(dataDir: string): Promise<HeldSnapshot> {
  const lock = await lockFolder(dataDir).catch((error: unknown) => {
    if (error instanceof DataFolderInUse) return null;
    throw error;
  });
  if (!lock) {
    const held = await requestSnapshot(dataDir);
    if (held) return held;
    throw new OperationRefused(`The server on ${dataDir} is just starting or stopping. Try again in a moment.`);
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

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
