import { chown, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ZodType } from "zod";

/**
 * Writes a file atomically and durably: after a crash or a power cut it is absent (or has its old content) or complete.
 * @param mode permissions from the first byte on: a secret must not be readable even for a moment
 * @param draft its name until it is complete. By default it is fixed, so that the next write replaces a draft left by a
 *   killed process; a path that is written concurrently needs a unique one
 */
export async function writeFileDurably(
  path: string,
  content: string | Uint8Array,
  mode: number,
  draft = `${path}.tmp`,
): Promise<void> {
  try {
    await writeFile(draft, content, { mode, flush: true });
    await giveToOwner(draft);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Gives what root creates to the owner of the folder above it: a command run as root must not lock the site out. */
export async function giveToOwner(path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(dirname(path));
  // Some file systems know no owners.
  await chown(path, uid, gid).catch(() => undefined);
}

/**
 * Reads a JSON file.
 * @returns null when it does not exist
 * @throws ZodError or SyntaxError when it is damaged, the system's error when it cannot be read
 */
export async function readJsonFile<Content>(path: string, schema: ZodType<Content>): Promise<Content | null> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  return text === null ? null : schema.parse(JSON.parse(text));
}

/** Returns true if there is a folder at the path. */
export async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

/** Lists the names in a folder. Returns an empty list when the folder does not exist. */
export async function listNames(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
}

/** Renames a folder once all of its content is on disk, so that the new name never shows incomplete content. */
export async function renameFolderDurably(from: string, to: string): Promise<void> {
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) await sync(path, "r+");
    if (entry.isDirectory()) await syncFolder(path);
  }
  await syncFolder(from);
  await rename(from, to);
  await syncFolder(dirname(to));
}

/** Makes the names in a folder durable. Windows cannot open a folder and needs no such call. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  await sync(path, "r");
}

async function sync(path: string, flags: "r" | "r+"): Promise<void> {
  const opened = await open(path, flags);
  await opened.sync().finally(() => opened.close());
}
