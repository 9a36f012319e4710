import { randomUUID } from "node:crypto";
import { link, open, readdir, rm } from "node:fs/promises";
import { createWriteStream } from "node:fs";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { create, extract, list, type ReadEntry } from "tar";
import { syncFolder } from "../../folder/durable-files.ts";
import { encryptStream } from "./encryption.ts";
import { OperationRefused } from "../operation-refused.ts";

/**
 * Packs a folder's content into one compressed file that only its owner can read. The file gets its name when it is
 * whole, on the disk, and has been checked.
 * @param recipients encrypts for each of them; none: the file is in plain
 * @param check is given the path under which the file is until then
 * @throws OperationRefused when there is a file of this name already: a backup is not written over another; and what
 *   `check` throws, the file being deleted then
 */
export async function packFolder(
  folder: string,
  file: string,
  recipients: readonly string[],
  check: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = `${file}.${randomUUID()}.tmp`;
  try {
    const archive = Readable.from(create({ cwd: folder, gzip: { level: 6 }, portable: true }, await readdir(folder)));
    const content = recipients.length === 0 ? archive : await encryptStream(archive, recipients);
    await pipeline(content, createWriteStream(draft, { mode: 0o600, flags: "wx" }));
    const packed = await open(draft, "r");
    await packed.sync().finally(() => packed.close());
    await check(draft);
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
 * @param name what an operator calls the file
 * @throws OperationRefused when the file cannot be read, or is no archive, or is cut off or damaged
 */
export async function unpackArchive(file: string, folder: string, name: string = file): Promise<void> {
  try {
    const strange: string[] = [];
    const note = ({ type, path }: ReadEntry) => {
      if (type !== "File" && type !== "Directory") strange.push(path);
    };
    await list({ file, strict: true, onReadEntry: note });
    if (strange.length > 0) throw new OperationRefused(`${name} holds something other than files and folders.`);
    await extract({ file, cwd: folder, strict: true });
  } catch (error) {
    if (isCode(error, "ENOENT")) throw new OperationRefused(`${name} is not there.`);
    if (error instanceof OperationRefused || isCode(error, "ENOSPC")) throw error;
    throw new OperationRefused(`${name} is damaged, cut off, or no backup.`);
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
