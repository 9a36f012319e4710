import { constants } from "node:fs";
import { copyFile, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";

/**
 * Copies a folder with its files and subfolders. Copies the files of a folder concurrently: one by one, each of a
 * thousand copies would wait in the queue of a busy server. On file systems that support it, the copies share blocks.
 * @param to must not exist; its folders are accessible to their owner only
 * @param isWanted called for each path; skips a folder with its content when false
 * @throws when there is anything other than files and folders
 */
export async function copyTree(from: string, to: string, isWanted: (path: string) => boolean): Promise<void> {
  const entries = (await readdir(from, { withFileTypes: true })).filter(({ name }) => isWanted(join(from, name)));
  const strange = entries.find((entry) => !entry.isFile() && !entry.isDirectory());
  if (strange) throw new Error(`${join(from, strange.name)} is neither a file nor a folder and cannot be copied.`);
  await mkdir(to, { mode: 0o700 });
  const files = entries.filter((entry) => entry.isFile());
  await Promise.all(files.map(({ name }) => copyFile(join(from, name), join(to, name), constants.COPYFILE_FICLONE)));
  for (const { name } of entries.filter((entry) => entry.isDirectory())) {
    await copyTree(join(from, name), join(to, name), isWanted);
  }
}
