import { randomUUID } from "node:crypto";
import { link, open, readdir, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { create, extract, list, type ReadEntry } from "tar";
import { syncFolder } from "../folder/durable-files.ts";
import { OperationRefused } from "./operation-refused.ts";

/**
 * Packs a folder's content into one compressed file that only its owner can read. The file gets its name when it is
 * whole and on the disk.
 * @throws OperationRefused when there is a file of this name already: a backup is not written over another
 */
export async function packFolder(folder: string, file: string): Promise<void> {
  const draft = `${file}.${randomUUID()}.tmp`;
  try {
    const options = { file: draft, cwd: folder, gzip: { level: 6 }, portable: true, mode: 0o600 };
    await create(options, await readdir(folder));
    const packed = await open(draft, "r");
    await packed.sync().finally(() => packed.close());
    // Unlike a rename, this fails where the name is taken.
    await link(draft, file);
    await syncFolder(dirname(file));
  } catch (error) {
    if (isCode(error, "EEXIST")) throw new OperationRefused(`${file} is there already. Name another file.`);
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Unpacks an archive into an empty folder: files and folders only, none outside of it. It is read to its end before
 * anything is written, so that a damaged one leaves nothing behind.
 * @throws OperationRefused when the file cannot be read, or is no archive, or is cut off or damaged
 */
export async function unpackArchive(file: string, folder: string): Promise<void> {
  try {
    const strange: string[] = [];
    const note = ({ type, path }: ReadEntry) => {
      if (type !== "File" && type !== "Directory") strange.push(path);
    };
    await list({ file, strict: true, onReadEntry: note });
    if (strange.length > 0) throw new OperationRefused(`${file} holds something other than files and folders.`);
    await extract({ file, cwd: folder, strict: true });
  } catch (error) {
    if (isCode(error, "ENOENT")) throw new OperationRefused(`${file} is not there.`);
    if (error instanceof OperationRefused || isCode(error, "ENOSPC")) throw error;
    throw new OperationRefused(`${file} is damaged, cut off, or no backup.`);
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
