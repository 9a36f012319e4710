import { constants } from "node:fs";
import { copyFile, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";

/**
 * Copies a folder with its files and folders, a folder's files all at once: asked for one by one, each would wait for
 * its turn in a busy server, a thousand times. Where the file system can, the copies share their blocks.
 * @param to must not exist; its folders are the owner's only
 * @param isWanted is asked about each path; a folder that is not wanted is not looked into
 * @throws when there is anything but files and folders
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
